import { formatCondition } from '../formats/architecture.ts';
import type { TokenAnalysis } from '../formats/token-analysis.ts';
import { formatCount } from '../units.ts';
import { formatPercent } from './format-percent.ts';

type Described = Omit<TokenAnalysis, 'warnings' | 'caveats'>;

/** A clock that takes more of a step than this is part of what was measured. */
const largestClockShare = 0.01;

/** What must be read before any number. */
export function listStepWarnings({ items, otherUse, progress }: Described): string[] {
  const warnings: string[] = [];
  const looked = otherUse.seen + otherUse.notSeen + otherUse.notVisible;
  if (otherUse.seen > 0) {
    warnings.push(
      `DISTURBED: others were seen at work on the device in ${otherUse.seen} of ${looked} trials; nothing was removed for it.`,
    );
  }
  for (const item of items) {
    const share = item.clock?.shareOfMedianStep ?? 0;
    if (share <= largestClockShare) continue;
    warnings.push(
      `CAREFUL, ${formatCondition(item)}: one reading of the clock takes ${item.clock!.readingNs.toFixed(1)} ns, ${formatPercent(share)} of a median step, and each step holds one.`,
    );
  }
  const missing = progress.planned - progress.observed - progress.failed;
  if (missing > 0) {
    warnings.push(
      `CAREFUL, not complete: ${formatCount(missing, 'trial')} of ${progress.planned} not measured yet.`,
    );
  }
  return warnings;
}

/** What these numbers do not say, most urgent first. */
export function listStepCaveats(analysis: Described): string[] {
  const { identity, otherUse, progress, sessions, environmentDifferences } = analysis;
  const looked = otherUse.seen + otherUse.notSeen + otherUse.notVisible;
  return [
    ...(progress.failed > 0
      ? [
          `${formatCount(progress.failed, 'trial')} failed; what they would have shown is not known.`,
        ]
      : []),
    ...(otherUse.notVisible > 0
      ? [
          `Whether others used the device was not visible for ${otherUse.notVisible} of ${looked} trials.`,
        ]
      : []),
    ...(sessions > 1
      ? [
          `It was measured in ${sessions} sessions; what differed between them is mixed into the spread.`,
        ]
      : []),
    ...environmentDifferences.map((difference) => `The environment differed: ${difference}`),
    'The unit is the process: percentiles are those of the kept steps of one process, and intervals are about the median process. No interval is about the steps, which follow one another in one process and are not independent.',
    'A percentile is one of the steps of a finite list; with few beyond it, it hangs on these few. Of the steps that were not measured it says nothing.',
    'It is waited for the device after each step, as the usual decode here does too; so the steps add up to the whole, and nothing is queued ahead. A program that queues ahead can be faster. Whether reading the clock changed the speed is not shown: no decode of the same plan without it was measured.',
    'Each step decodes one given token. Sampling, tokenising, sending and other users of a server are in none of these times.',
    'First and last steps of a repetition differ in the length of the cache, and in whatever the prompt left behind for the first ones; which of them makes the difference is not shown.',
    'Time to the first token is that of computing the prompt, and one step more: a server that takes its first token from the prompt’s own result needs the prefill alone.',
    'With load: that of a fresh process, with the file in the page cache or not, as it was at that moment; after the first processes it usually is. The prefill and step added to it are the mean of the kept repetitions; the row for a fresh process has those of its first repetition.',
    `Slow steps are listed by a limit that was chosen, 2 median steps. Expected counts assume that every place in a repetition is alike and that slow steps come one by one: bursts scatter more, and the largest of many counts lies above the mean of all. Why a step was slow is another experiment.`,
    `It holds for ${identity.fingerprint.deviceDescription} with this backend in these hours, and for random tokens under protocol ${identity.protocol.name}. It is not to be pooled with a campaign that times its steps together.`,
  ];
}

import type { SampleAnalysis } from '../formats/analysis.ts';
import { slowThreshold } from '../stats/tail.ts';
import { formatCount } from '../units.ts';
import type { AnalyzedSamples } from './analyze-samples.ts';
import { formatLimit } from './format-limit.ts';

/** What the caveats of every analysis are about. */
export type Samples = AnalyzedSamples & Pick<SampleAnalysis, 'declaration' | 'protocol'>;

export function aboutCompleteness({ progress, protocol }: Samples): string[] {
  const { planned, observed, failed, complete } = progress;
  const caveats: string[] = [];
  if (complete === null) {
    caveats.push(
      'No plan came with the table, so it does not say which trials are missing: n can differ between items, and the last rounds may be cut off.',
    );
  } else if (!complete) {
    caveats.push(
      `The campaign is incomplete: ${observed + failed} of ${planned} trials have an outcome, so n can differ between items and the last rounds are missing.`,
    );
  }
  if (failed > 0) {
    caveats.push(
      `${formatCount(failed, 'trial')} failed and ${failed === 1 ? 'has' : 'have'} no time; n counts valid trials only. If failing and being slow go together, the times look better than they are.`,
    );
  }
  return [...caveats, ...aboutRepetitions(protocol)];
}

function aboutRepetitions(protocol: Samples['protocol']): string[] {
  if (protocol === null) return ['n counts the trials of the table.'];
  const { warmup, kept } = protocol.repetitions;
  const warmupRule =
    warmup === 0
      ? ''
      : ` The first ${formatCount(warmup, 'repetition')} of each process ${warmup === 1 ? 'is' : 'are'} warm-up by the protocol, not by their times.`;
  return [
    `Nothing was removed: every valid trial counts, slow or not.${warmupRule}`,
    kept === 1
      ? 'n counts processes.'
      : `n counts processes. The ${kept} kept repetitions inside one share its state and are no samples of their own.`,
  ];
}

export function aboutStatistics(samples: Samples): string[] {
  return [
    ...aboutFlags(samples),
    ...aboutIntervals(samples),
    ...aboutManyLooks(samples),
    ...aboutTails(samples),
    ...aboutAdvice(samples),
  ];
}

function aboutFlags({ rules, drift, roundSubsets, items }: Samples): string[] {
  const { stable, drift: driftRule, source } = rules;
  const from =
    source === 'protocol' ? '' : ' No protocol came with the data: these limits are v1’s.';
  const caveats = [
    `The stable flag is no test of equivalence. It says that the relative range is at most ${formatLimit(stable.maxRelativeRange)} and the CV inside every trial at most ${formatLimit(stable.maxInTrialCv)}, compared exactly, not as printed. More trials show more rare delays, so fewer flags alone do not mean a worse environment.${from}`,
    `The drift threshold of ${formatLimit(driftRule.above)} is an operating rule and was not validated. It marks a campaign for review and removes nothing.`,
  ];
  const seen = drift.find((phase) => phase.state === 'evaluated');
  if (seen !== undefined) {
    caveats.push(
      `With ${seen.rounds} rounds a steady drift must exceed about ${formatLimit(seen.linearDriftToReach)} from the first to the last to be flagged.`,
    );
  }
  if (roundSubsets.state === 'evaluated') {
    const { subsets, size, isExhaustive } = roundSubsets;
    const which = isExhaustive ? `All ${subsets}` : `${subsets} random`;
    caveats.push(
      `${which} subsets of ${size} rounds share their samples: their range shows what fewer rounds would have said of these trials, and is no set of independent repetitions.`,
    );
  }
  if (items.some(({ twoSpeed }) => twoSpeed?.isTwoSpeed)) {
    caveats.push(
      'Two speeds are a flag to look at, found by the widest gap among the logarithms of the trial means; it is no test. A median between two speeds belongs to neither.',
    );
  }
  return caveats;
}

function aboutIntervals({ items }: Samples): string[] {
  if (items.every(({ interval }) => interval === null)) return [];
  const family = items.find(({ simultaneousInterval }) => simultaneousInterval !== null);
  const together = family
    ? ` Intervals that hold together are the simultaneous ones: Bonferroni over ${formatCount(family.simultaneousInterval!.familySize, 'item')}.`
    : '';
  if (items.length === 1) {
    return [
      'The interval is for the median of the only item, if its trials are independent and alike. It is no test of a difference.',
    ];
  }
  return [
    `Each interval is for the median of one item, if its trials are independent and alike. Together the ${items.length} intervals cover less than each alone, and they are no test of a difference between two items.${together}`,
  ];
}

function aboutManyLooks({ items, orderEffect }: Samples): string[] {
  const caveats: string[] = [];
  const trends = items.filter(({ trend }) => trend !== null).length;
  if (trends > 0) {
    const family =
      trends === 1
        ? 'its p-value assumes independent trials.'
        : `its adjusted p-value is Holm’s over ${formatCount(trends, 'item')}. It assumes independent trials, and what all items share is one observation, not ${trends}.`;
    caveats.push(
      `A trend is Spearman’s rank correlation of trial mean and place in the campaign; ${family}`,
    );
  }
  const phases = orderEffect.filter(({ state }) => state === 'evaluated').length;
  if (phases > 0) {
    const family =
      phases === 1
        ? ''
        : ` They are ${phases} tests: 5 % over both is ${formatLimit(0.05 / phases)} each.`;
    caveats.push(
      `The order effect is one sign test over rounds in each phase, not adjusted.${family}`,
    );
  }
  return caveats;
}

function aboutTails({ declaration }: Samples): string[] {
  const caveats = [
    `Tails are reported apart: max/median and the trials above ${slowThreshold} x median describe these trials; delays rarer than one in n remain unseen. Bounds of the share of slow trials take that threshold as fixed, although it is drawn from the same trials.`,
  ];
  if (declaration?.tailsAreAGoal) {
    caveats.push('The plan declares tails a goal; these columns alone do not answer it.');
  }
  return caveats;
}

function aboutAdvice({ warmup, allocation }: Samples): string[] {
  if (warmup.every(({ n }) => n === 0) && allocation.length === 0) return [];
  return [
    'Where repetitions become steady and how many would pay are advice for a next protocol. Nothing here was measured or left out by it.',
  ];
}

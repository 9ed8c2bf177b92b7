import { itemKey } from '../analysis/item-key.ts';
import { createRemainingTime } from '../campaign/remaining-time.ts';
import { advanceState } from '../campaign/resume.ts';
import { type CampaignPorts, runCampaign } from '../campaign/run-campaign.ts';
import type { Item } from '../formats/architecture.ts';
import type { DecisionEntry, ObservedEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import { nameItemOf } from '../llama-bench/item-name.ts';
import { planTrials } from '../protocol/schedule.ts';
import { formatDuration } from '../units.ts';
import { createDecisionLines } from './decision-lines.ts';
import type { OpenCampaign } from './open-campaign.ts';
import { drawBar, type Progress } from './progress.ts';

/** Where nobody sees a line that redraws itself; more are not read. */
const mostRoundLines = 12;

/** Hears of each trial that worked, when it is on the disk. */
export type OnObserved = (item: Item, entry: ObservedEntry) => void;

export interface MeasureHooks {
  onObserved?: OnObserved;
  /** Hears of each trial before it begins. */
  onIntended?: (item: Item) => void;
  /** Hears of each decision when it is on the disk; the campaign ends between two rounds if it throws. */
  onDecided?: (entry: DecisionEntry) => void;
  /** Ends as soon as every item has failed once and none has worked. */
  endsWhenNothingWorks?: boolean;
}

/** The campaign itself: each entry is on the disk before the next step is taken. */
export async function measure(
  plan: Plan,
  { writer, state }: OpenCampaign,
  ports: CampaignPorts,
  progress: Progress,
  { onObserved, onIntended, onDecided, endsWhenNothingWorks = false }: MeasureHooks = {},
): Promise<void> {
  const trials = planTrials(plan);
  const unfinished = trials.filter(({ trial }) => !state.finished.has(trial));
  const remaining = createRemainingTime(unfinished.map(({ item }) => item));
  const rounds = plan.protocol.processesPerItem;
  const everySoManyRounds = Math.ceil(rounds / mostRoundLines);
  using decisions = createDecisionLines(rounds, everySoManyRounds, progress);
  const atMost = plan.protocol.stopping === undefined ? '' : 'at most ';
  const describeRest = () => {
    const restNs = remaining.estimateNs();
    return restNs === null ? '' : `, ${atMost}${formatDuration(restNs)} left`;
  };
  const showProgress = (trial: number) => {
    const current = trials[trial];
    if (current === undefined) return;
    const place = `round ${current.round + 1} of ${atMost}${rounds}, trial ${trial + 1} of ${atMost}${trials.length}`;
    progress.show(
      `${drawBar(trial / trials.length)} ${nameItemOf(plan, current.item)}${describeRest()}, ${place}`,
    );
  };
  const said = new Set<string>();
  const keyOf = ({ item, model }: (typeof trials)[number]) => itemKey(item, model.sha256);
  const items = new Set(trials.map(keyOf));
  const worksNothing = () =>
    endsWhenNothingWorks &&
    state.observed === 0 &&
    new Set(trials.filter(({ trial }) => state.finished.has(trial)).map(keyOf)).size === items.size;
  if (worksNothing()) return;
  for await (const unchained of runCampaign(plan, state, state.sessionCount - 1, ports)) {
    const entry = await writer.append(unchained);
    advanceState(state, entry);
    if (entry.type === 'intended') {
      onIntended?.(entry.item);
      // under a stopping rule the decision after each round says as much
      if (entry.position === 0 && atMost === '' && entry.round % everySoManyRounds === 0)
        progress.say(`round ${entry.round + 1} of ${rounds}${describeRest()}`);
      showProgress(entry.trial);
    } else if (entry.type === 'observed' || entry.type === 'failed') {
      const { item } = trials[entry.trial]!;
      remaining.record(item, entry.processNs + entry.harnessNs);
      if (entry.type === 'observed') onObserved?.(item, entry);
      if (entry.type === 'failed') {
        const reason = said.has(entry.message) ? 'as before' : entry.message;
        said.add(entry.message);
        progress.say(`trial ${entry.trial + 1} (${nameItemOf(plan, item)}) failed: ${reason}`);
        if (worksNothing()) break;
      }
    } else if (entry.type === 'decision') {
      decisions.tell(entry);
      onDecided?.(entry);
    }
  }
  progress.done();
}

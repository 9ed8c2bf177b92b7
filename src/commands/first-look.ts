import { rmSync } from 'node:fs';
import { classifyTrial } from '../campaign/classify.ts';
import type { CampaignPorts } from '../campaign/run-campaign.ts';
import type { Item } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import { buildTrial } from '../protocol/build-trial.ts';
import { planTrials, type ScheduledTrial } from '../protocol/schedule.ts';

/** Enough for a number, few enough for a machine that makes two a second. */
const fewTokens = { prefill: 16, decode: 4 };

/** For loading a model and a few tokens; a backend that hangs is told of by the first trial. */
const mostSeconds = 300;

/** Hears of it; `item` is what was really run, a few tokens with nothing before them. */
export type OnFirstLook = (item: Item, wallNs: number) => void;

/**
 * A few tokens in a process of their own, before the first trial, so that a number stands there as soon
 * as the model is loaded, however long a repetition takes. It is no measurement: one repetition, not warm,
 * in no ledger. Where it fails nothing is said, since the first trial will fail with its reason.
 * @param logPath by a name that no trial's log has, and that is swept away after a kill: it ends in `.out`
 */
export async function takeFirstLook(
  plan: Plan,
  { runner, variantRunners, device, openModel, stop }: CampaignPorts,
  logPath: string,
  onFirstLook: OnFirstLook,
): Promise<void> {
  const scheduled = findQuickest(planTrials(plan));
  if (scheduled === undefined || stop.aborted) return;
  const item = shorten(scheduled.item, plan.protocol.decodeSteps);
  const modelPath = await openModel(scheduled.model.sha256);
  const trial = {
    ...buildTrial(plan.protocol, { ...scheduled, item }, modelPath, device),
    repetitions: 1,
    stepTimes: false,
  };
  const { backend } = scheduled;
  const chosen = (backend === null ? null : variantRunners?.get(backend)) ?? runner;
  const timeLimitMs = Math.min(plan.protocol.trialTimeLimitSeconds, mostSeconds) * 1000;
  const outcome = classifyTrial(trial, await chosen.run(trial, logPath, timeLimitMs, stop));
  rmSync(logPath, { force: true });
  if (outcome.state === 'observed') onFirstLook(item, outcome.measured.repetitions[0]!.wallNs);
}

/** Decode before prefill, and what stands first in the schedule. */
function findQuickest(trials: readonly ScheduledTrial[]): ScheduledTrial | undefined {
  return trials.find(({ item }) => item.phase === 'decode') ?? trials[0];
}

function shorten({ depth: _depth, ...item }: Item, steps: number): Item {
  const { phase, sequenceLength, decodeSteps = steps } = item;
  if (phase === 'decode')
    return { ...item, sequenceLength: 0, decodeSteps: Math.min(decodeSteps, fewTokens.decode) };
  return { ...item, sequenceLength: Math.min(sequenceLength, fewTokens.prefill) };
}

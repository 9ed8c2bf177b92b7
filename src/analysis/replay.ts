import { RooflawError, throwFaults } from '../errors.ts';
import type { Protocol } from '../formats/protocol.ts';
import { type Replay, replayLabel } from '../formats/sequential.ts';
import { identityOf } from '../hash.ts';
import { findComparisonFaults } from '../protocol/comparison-faults.ts';
import { listItemsByPhase } from '../protocol/schedule.ts';
import { selectComparisons } from '../protocol/select-comparisons.ts';
import type { CampaignRecord } from './campaign-record.ts';
import type { FrozenProtocols } from './identity.ts';
import { type JudgedTrial, judgeTrial } from './judge-trial.ts';
import { measureCampaign } from './measure-campaign.ts';
import { analyzeSequential, followRounds, listFinishedRounds } from './sequential.ts';

/**
 * Runs a recorded campaign through the stopping rule of a protocol: when each comparison would have
 * been decided, and what would have been saved. The recorded rounds are taken in their order and
 * with their own repetitions; only the rule and its maximum come from the protocol.
 * @param compare comparisons for a rule that decides declared ones, in place of the plan's
 * @throws RooflawError `invalid-input` when there is no rule, or nothing for it to compare
 */
export function replayCampaign(
  record: CampaignRecord,
  protocol: Protocol,
  frozen: FrozenProtocols,
  compare: readonly string[] = [],
): Replay {
  const { campaign } = record;
  const { stopping, processesPerItem } = protocol;
  if (stopping === undefined) {
    throw new RooflawError('invalid-input', `protocol ${protocol.name} has no stopping rule`, {
      hint: 'name v2, or a protocol file with the member "stopping"',
    });
  }
  refuseOtherPhases(protocol, campaign.plan.protocol);
  const items = listItemsByPhase(campaign.plan);
  const { comparisons: declared, ...rest } = campaign.plan;
  const isDeclared = stopping.comparisons === 'declared';
  const comparisons =
    compare.length > 0 ? selectComparisons(items, compare) : isDeclared ? declared : undefined;
  const plan = {
    ...rest,
    protocol: { ...campaign.plan.protocol, name: protocol.name, processesPerItem, stopping },
    ...(comparisons === undefined ? {} : { comparisons }),
  };
  const checked = { comparisons: [], ...plan };
  throwFaults('the replay', findComparisonFaults(checked, comparisons !== undefined));

  const judged = record.trials.map((trial) => judgeTrial(trial, plan.protocol.repetitions));
  const measured = measureCampaign(record, judged, null);
  const rounds = listFinishedRounds(
    campaign.plan,
    measured.trials.map((trial, index) => ({ ...trial, judged: judged[index]! })),
  );
  const followed = [...followRounds(plan, rounds.flat())];
  const sequential = analyzeSequential(plan, { ...measured, trials: rounds.flat() })!;
  const isOver = sequential.stopped || sequential.rounds === processesPerItem;
  const saved = [
    ...followed.flatMap(({ surplus }) => surplus),
    ...rounds.slice(sequential.rounds).flat(),
  ];
  const hardwareOf = (trials: typeof saved) => sumHardware(trials.map((trial) => trial.judged));
  return {
    format: 'rooflaw-replay',
    formatVersion: 1,
    label: replayLabel,
    campaign: campaign.name,
    measuredUnder: nameProtocol(campaign.plan.protocol, frozen),
    replayedUnder: nameProtocol(protocol, frozen),
    items: items.map(({ item }) => item),
    recorded: {
      rounds: rounds.length,
      trials: rounds.flat().length,
      hardwareNs: hardwareOf(rounds.flat()),
    },
    sequential,
    end: isOver
      ? {
          because: sequential.stopped ? 'all-decided' : 'maximum',
          afterRounds: sequential.rounds,
          trialsLess: saved.length,
          hardwareNsLess: hardwareOf(saved),
        }
      : null,
    ...(isOver ? {} : findLacking(rounds[sequential.rounds], followed.at(-1)?.dueNext)),
  };
}

/** Why it was followed no further where the recording goes on: it left out what this rule asks for. */
function findLacking(
  next: readonly { item: number; round: number }[] | undefined,
  due: readonly number[] = [],
): Pick<Replay, 'lacking'> {
  if (next === undefined) return {};
  const measured = new Set(next.map(({ item }) => item));
  return {
    lacking: { round: next[0]!.round + 1, items: due.filter((item) => !measured.has(item)) },
  };
}

/** A rule over all items of fewer phases has fewer comparisons, so another share of alpha for each. */
function refuseOtherPhases({ name, phases, stopping }: Protocol, recorded: Protocol): void {
  if (stopping?.comparisons !== 'all-against-reference') return;
  const others = recorded.phases.filter((phase) => !phases.includes(phase));
  if (others.length === 0) return;
  throw new RooflawError(
    'invalid-input',
    `protocol ${name} does not measure ${others.join(' and ')}, the campaign does`,
    {
      hint: 'give the protocol the phases of the campaign, or "comparisons": "declared" and name them with --compare',
    },
  );
}

function nameProtocol(protocol: Protocol, frozen: FrozenProtocols): Replay['measuredUnder'] {
  const sha256 = identityOf(protocol);
  return { name: protocol.name, sha256, shippedAs: frozen.get(sha256) ?? null };
}

/** Processes, waits, device reads and harness; interrupted attempts as far as their cost is known. */
function sumHardware(trials: readonly JudgedTrial[]): number {
  return trials.reduce((sum, trial) => {
    const interrupted = trial.record.interruptedNs.reduce<number>(
      (ns, cost) => ns + (cost ?? 0),
      0,
    );
    if (!('measured' in trial)) return sum + interrupted;
    const { processNs, harnessNs, deviceReadNs, idleWaitNs } = trial.measured;
    return sum + interrupted + processNs + harnessNs + deviceReadNs + idleWaitNs;
  }, 0);
}

import type { Arm } from '../formats/experiment.ts';
import type { ExperimentResult } from '../formats/experiment-result.ts';
import { canonicalJson } from '../hash.ts';
import { toNumber } from '../stats/fraction.ts';
import { medianOfNumbers } from '../stats/number-median.ts';
import { pairedInterval } from '../stats/paired-interval.ts';
import { recoveryFraction } from '../stats/slow-repetition.ts';
import type { ArmData, CollectedExperiment, GroupData } from './collect.ts';
import { measureProcess } from './metrics.ts';
import { comparePairs, isClear } from './pair.ts';
import { explainTooEarly } from './too-early.ts';

type Recovery = ExperimentResult['recovery'][number];

/** Probability that any recovery is given where there is none, over all of them. */
const alpha = 0.05;

/**
 * For arms that share all but their activity: how much of the time that a decode brings back after a
 * pause another activity brings back. Withheld where the decode brings nothing back that can be
 * distinguished (sign test, Bonferroni over all of them): then there is nothing of which it could be a part.
 */
export function findRecovery(collected: CollectedExperiment): Recovery[] {
  const sets = collected.groups.flatMap((group, index) =>
    findSets(group).map((set) => ({ ...set, group: index })),
  );
  const tooEarly = explainTooEarly(collected);
  return sets.map((set) =>
    tooEarly === null ? describe(set, alpha / sets.length) : withhold(set, `${tooEarly}.`),
  );
}

interface ActivitySet {
  sleep: ArmData;
  work: ArmData;
  decode: ArmData;
}
type PlacedSet = ActivitySet & { group: number };

function findSets({ arms }: GroupData): ActivitySet[] {
  const active = arms.filter(({ arm }) => arm.treatment?.activity);
  const sets = Map.groupBy(active, ({ arm }) => canonicalJson(leaveOutKind(arm)));
  return [...sets.values()].flatMap((set) => {
    const of = (kind: string) => set.find(({ arm }) => arm.treatment!.activity!.kind === kind);
    const [sleep, work, decode] = [of('sleep'), of('integer-work'), of('decode')];
    return sleep && work && decode ? [{ sleep, work, decode }] : [];
  });
}

/** All that an arm says but its names and what its activity is; how long it takes stays. */
function leaveOutKind({ name: _name, levels: _levels, ...parts }: Arm) {
  const { activity, ...treatment } = parts.treatment!;
  return { ...parts, treatment, milliseconds: activity!.milliseconds };
}

const nameSet = ({ sleep, work, decode, group }: PlacedSet) => ({
  group,
  shared: `${sleep.arm.name}, ${work.arm.name}, ${decode.arm.name}`,
  activity: 'integer-work',
});

function withhold(set: PlacedSet, why: string): Recovery {
  const named = nameSet(set);
  const sentence = `Recovery after ${named.shared}: withheld. ${why}`;
  return { ...named, fraction: null, interval: null, sentence };
}

function describe(set: PlacedSet, mostP: number): Recovery {
  const { sleep, work, decode } = set;
  const [s, w, d] = [sleep, work, decode].map(timesOf) as [Times, Times, Times];
  const blocks = [...s.keys()].filter((block) => w.has(block) && d.has(block));
  const recovered = comparePairs(blocks.map((block) => ({ a: s.get(block)!, b: d.get(block)! })));
  const named = nameSet(set);
  const { pValue, effect } = recovered;
  const isRecovering = pValue !== null && pValue <= mostP && isClear(recovered) && effect! < 1;
  if (!isRecovering)
    return withhold(
      set,
      'Decode before the timer brings back no time that could be distinguished, so there is nothing of which integer work could bring back a part.',
    );
  const middle = (times: Times) => medianOfNumbers(blocks.map((block) => times.get(block)!))!;
  const fraction = recoveryFraction(middle(s), middle(w), middle(d));
  const perBlock = blocks.map((block) =>
    recoveryFraction(s.get(block)!, w.get(block)!, d.get(block)!),
  );
  const isWhole = blocks.every((block) => s.get(block)! > d.get(block)!);
  const ends = isWhole ? pairedInterval(perBlock as number[], 0.95) : null;
  const interval = ends && {
    lower: ends.lower,
    upper: ends.upper,
    coverage: toNumber(ends.coverage),
  };
  const range =
    interval === null
      ? 'no interval, since decode was not faster in every block'
      : `${interval.lower.toFixed(3)} to ${interval.upper.toFixed(3)} over the blocks`;
  return {
    ...named,
    fraction,
    interval,
    sentence: `Of the time that decode brings back after a pause (${named.shared}), integer work of the CPU alone brings back the fraction ${fraction?.toFixed(3) ?? 'none'} (${range}). What that work costs lies before the timer.`,
  };
}

type Times = Map<number, number>;

function timesOf({ processes, kept }: ArmData): Times {
  return new Map(
    processes.flatMap((run) => {
      if (run.state === 'failed') return [];
      const measured = measureProcess('time', run.entry, kept);
      return 'value' in measured ? [[run.block, measured.value]] : [];
    }),
  );
}

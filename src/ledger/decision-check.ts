import type { DecisionEntry, FailedEntry, ObservedEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import { canonicalJson } from '../hash.ts';
import { keyOfItem } from '../protocol/comparisons.ts';
import { nameItem, type ScheduledTrial } from '../protocol/schedule.ts';
import { createSequentialTest, type Decision } from '../protocol/stopping.ts';
import { takeTrialSample } from '../stats/trial-sample.ts';
import { formatCount } from '../units.ts';

/** Checks that each finished round is followed by the decision that its trials give. */
export interface DecisionCheck {
  /** Takes a trial's outcome; with the last of a round, a decision becomes due. */
  conclude(entry: ObservedEntry | FailedEntry): void;
  /** Sentences about what is wrong with a decision at this place. */
  decide(entry: DecisionEntry): string[];
  /** A sentence, once, when a decision had to come before what stands here; else nothing. */
  findMissing(): string[];
  /**
   * The first trial of the schedule from this one on that is to be measured, by what was decided;
   * where none is, the end of the last round that is.
   */
  findDue(trial: number): number;
  /** Whether the campaign is to end by what was decided. */
  readonly hasStopped: boolean;
}

/**
 * The expected decision is computed from the trials alone and compared to the last bit: its ends are
 * the doubles nearest to quotients of integers, which every engine agrees on.
 * @returns null for a plan whose rounds are fixed
 */
export function createDecisionCheck(
  plan: Plan,
  schedule: readonly ScheduledTrial[],
): DecisionCheck | null {
  const test = createSequentialTest(plan);
  if (test === null) return null;
  let sums = new Map<string, bigint>();
  let due: { round: number; decision: Decision } | null = null;
  let hasStopped = false;

  function settle({ decision }: NonNullable<typeof due>): void {
    due = null;
    hasStopped ||= decision.stop;
  }

  function findDue(trial: number): number {
    let at = trial;
    for (; at < schedule.length; at++) {
      if (!test!.leavesOut(keyOfItem(nameItem(schedule[at]!)))) break;
    }
    return at;
  }

  return {
    get hasStopped() {
      return hasStopped;
    },
    findDue,
    conclude(entry) {
      const planned = schedule[entry.trial];
      if (planned === undefined || hasStopped) return;
      const { round } = planned;
      const wallNs = entry.repetitions.map((repetition) => repetition.wallNs);
      const sample = takeTrialSample(wallNs, plan.protocol.repetitions);
      if (entry.type === 'observed' && sample.state === 'valid') {
        sums.set(keyOfItem(nameItem(planned)), sample.keptSum);
      }
      if (schedule[findDue(entry.trial + 1)]?.round === round) return;
      due = { round, decision: test.next(sums) };
      sums = new Map();
    },
    decide(entry) {
      if (due === null || entry.round !== due.round) {
        return [`a decision about round ${entry.round}, which was not due`];
      }
      const { decision } = due;
      settle(due);
      return compareDecisions(entry, decision);
    },
    findMissing() {
      if (due === null) return [];
      const { round } = due;
      settle(due);
      return [`the decision about round ${round} is missing before this`];
    },
  };
}

function compareDecisions(found: Decision, due: Decision): string[] {
  const faults: string[] = [];
  if (found.comparisons.length !== due.comparisons.length) {
    const count = formatCount(found.comparisons.length, 'comparison');
    return [`${count} where ${due.comparisons.length} were due`];
  }
  due.comparisons.forEach((expected, index) => {
    const there = found.comparisons[index]!;
    if (canonicalJson(there) === canonicalJson(expected)) return;
    const states = there.state === expected.state ? '' : `: ${there.state}, not ${expected.state}`;
    faults.push(`comparison ${index} is not what the trials give${states}`);
  });
  if (found.stop !== due.stop) {
    faults.push(`says to ${wordFor(found.stop)} where the trials say to ${wordFor(due.stop)}`);
  }
  return faults;
}

const wordFor = (stop: boolean) => (stop ? 'stop' : 'go on');

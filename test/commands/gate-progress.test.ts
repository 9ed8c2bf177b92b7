import { expect, test } from 'vitest';
import { createDecisionLines } from '../../src/commands/decision-lines.ts';
import type { ComparisonEvidence } from '../../src/formats/ledger.ts';

const item = { modelSha256: 'a'.repeat(64), sequenceLength: 8 } as const;
const comparisonOf = (state: ComparisonEvidence['state']): ComparisonEvidence => ({
  a: { ...item, phase: 'prefill', variant: 'base' },
  b: { ...item, phase: 'prefill', variant: 'candidate' },
  pairs: 1,
  ranks: null,
  current: null,
  running: null,
  eValue: null,
  state,
});

/** The rounds that are said when the only comparison is decided after `decidedAfter` rounds. */
function listSaid(measured: number, decidedAfter: number, stops: boolean): string[] {
  const said: string[] = [];
  {
    using lines = createDecisionLines(34, 3, { say: (line) => said.push(line) });
    for (let round = 0; round < measured; round++) {
      const state = round + 1 >= decidedAfter ? 'slower' : 'open';
      const stop = stops && round + 1 === measured;
      lines.tell({ round, comparisons: [comparisonOf(state)], stop });
    }
  }
  return said;
}
const roundsOf = (said: readonly string[]) => said.map((line) => Number(line.split(' ')[1]));

test('every third round of 34 is said, and the last, once', () => {
  const said = listSaid(34, 99, false);
  expect(roundsOf(said)).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 34]);
  expect(said.at(-1)).toBe('round 34 of at most 34, 0 of 1 comparisons decided');
  expect(roundsOf(listSaid(9, 99, false))).toEqual([3, 6, 9]);
});

test('a round that decides something is said, whichever it is', () => {
  expect(roundsOf(listSaid(8, 7, false))).toEqual([3, 6, 7, 8]);
  expect(listSaid(8, 8, true).slice(2)).toEqual([
    'round 8 of at most 34, 1 of 1 comparisons decided',
  ]);
});

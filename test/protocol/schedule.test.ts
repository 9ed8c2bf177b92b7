import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatItem } from '../../src/formats/architecture.ts';
import { identityOf } from '../../src/hash.ts';
import { listItems, planTrials } from '../../src/protocol/schedule.ts';
import { smallPlan, smallProtocol } from '../support/small-plan.ts';

test('every round is a permutation of all items, whatever the seed', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 32 - 1), (scheduleSeed) => {
      const trials = planTrials(smallPlan({ scheduleSeed }));
      expect(trials.map(({ trial }) => trial)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      for (const round of [0, 1, 2]) {
        const items = trials.filter((trial) => trial.round === round);
        expect(items.map(({ position }) => position)).toEqual([0, 1, 2, 3]);
        expect(items.map(({ item }) => formatItem(item)).sort()).toEqual([
          'tiny F16 S16 decode',
          'tiny F16 S16 prefill',
          'tiny Q8_0 S16 decode',
          'tiny Q8_0 S16 prefill',
        ]);
      }
    }),
  );
});

test('the order is frozen: the same plan is measured in the same order for ever', () => {
  const order = planTrials(smallPlan()).map(({ item }) => `${item.quantization} ${item.phase}`);
  expect(identityOf(order)).toBe(
    'bb175fe93be1748d8d97bb2b68e237c726dca378c21aff4f5c2d598f1b30aab5',
  );
});

test('rounds differ in their order', () => {
  const plan = smallPlan({ protocol: smallProtocol({ processesPerItem: 10 }) });
  const orders = Array.from({ length: 10 }, (_, round) =>
    planTrials(plan)
      .filter((trial) => trial.round === round)
      .map(({ item }) => formatItem(item))
      .join(),
  );
  expect(new Set(orders).size).toBeGreaterThan(5);
});

test('a campaign with fewer rounds measures the beginning of a longer one', () => {
  const short = planTrials(smallPlan({ protocol: smallProtocol({ processesPerItem: 2 }) }));
  const long = planTrials(smallPlan({ protocol: smallProtocol({ processesPerItem: 5 }) }));
  expect(long.slice(0, short.length)).toEqual(short);
});

test('a reference that the space lacks is measured besides the conditions', () => {
  const plan = smallPlan({
    conditions: [{ modelSha256: 'b'.repeat(64), sequenceLength: 16 }],
    reference: { modelSha256: 'a'.repeat(64), sequenceLength: 16, partOfSpace: false },
  });
  expect(listItems(plan).map(({ item }) => formatItem(item))).toEqual([
    'tiny F16 S16 prefill',
    'tiny F16 S16 decode',
    'tiny Q8_0 S16 prefill',
    'tiny Q8_0 S16 decode',
  ]);
});

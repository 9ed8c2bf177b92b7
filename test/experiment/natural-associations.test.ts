import { expect, test } from 'vitest';
import { resultOf } from './build-result.ts';
import { slow, usual, watch, watched, whole } from './watched-repetitions.ts';

test('slow repetitions that have an event in six processes, and others not, are associated with it', () => {
  const dips = Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6, 7].map((block) => [block, slow(22_390, 22_360, { aperf: 1_300_000 })]),
  );
  const { associations } = watch(dips);
  expect(associations.find(({ event }) => event === 'a lower frequency')).toMatchObject({
    processes: 8,
    more: 8,
    less: 0,
    pValue: 0.0234375, // 3 x 2 / 2^8, Holm over three events
    verdict: 'associated',
  });
  expect(associations.find(({ event }) => event === 'a move to another CPU')!.verdict).toBe(
    'not distinguishable here',
  );
});

test('a frequency that is 1 % lower in every slow repetition is no dip', () => {
  const blocks = [0, 1, 2, 3, 4, 5, 6, 7];
  const { associations } = watch(
    Object.fromEntries(blocks.map((block) => [block, slow(22_390, 22_360, { aperf: 1_485_000 })])),
  );
  expect(associations[2]).toMatchObject({ more: 0, verdict: 'not distinguishable here' });
});

test('an event that slow repetitions have less often than others is not associated with them', () => {
  const { natural } = resultOf(
    watched,
    () => [usual({ involuntarySwitches: 1 }), slow(22_390, 22_360)],
    { report: whole },
  );
  expect(natural[0]!.associations[1]).toMatchObject({
    processes: 8,
    more: 0,
    less: 8,
    verdict: 'not distinguishable here',
  });
});

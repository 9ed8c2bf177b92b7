import { expect, test } from 'vitest';
import { estimateRoundEffects } from '../../src/stats/round-effects.ts';

test('a round that slows every arm is found, whatever the level of each arm', () => {
  const effects = [0, 0.5, -0.25, 0, 0];
  const arms = [10, 20, 30, 40].map((level) => effects.map((effect) => level + effect));
  expect(estimateRoundEffects(arms)).toEqual(effects);
});

test('the effect is the median over arms, so that one slow trial does not move it', () => {
  const arms = [
    [1, 1, 9],
    [2, 2, 2],
    [3, 3, 3],
    [4, 4, 4.5],
    [5, 5, 5],
  ];
  expect(estimateRoundEffects(arms)).toEqual([0, 0, 0]);
});

test('a missing trial is left out of its arm and of its round', () => {
  const arms = [
    [1, null, 3],
    [10, 11, 12],
    [20, 21, 22],
    [30, 31, 32],
    [40, 41, 42],
  ];
  expect(estimateRoundEffects(arms)).toEqual([-1, 0, 1]);
});

test('fewer than four other arms, in all or in one round, estimate nothing', () => {
  const arm = [1, 2, 3];
  expect(estimateRoundEffects([arm, arm, arm])).toBeNull();
  expect(estimateRoundEffects([])).toBeNull();
  expect(estimateRoundEffects([arm, arm, arm, arm])).toEqual([-1, 0, 1]);
  expect(estimateRoundEffects([arm, arm, arm, [1, null, 3]])).toBeNull();
  expect(estimateRoundEffects([arm, arm, arm, [1, 2]])).toBeNull();
  expect(estimateRoundEffects([arm, arm, arm, [null, null, null]])).toBeNull();
});

import { expect, test } from 'vitest';
import { judgeCpuUse, parseOwnTicks } from '../../src/device/other-use.ts';

const firstNamespace = 'pid:[4026531836]';
const ownNamespace = 'pid:[4026532201]';
/** Two CPUs for one second: 200 ticks. */
const use = (totalTicks: number, busyTicks: number, ownTicks: number) => ({
  machine: { totalTicks, busyTicks, stolenTicks: 0 },
  ownTicks,
});
const judge = (busyTicks: number, ownTicks: number, namespace: string | null = firstNamespace) =>
  judgeCpuUse(use(1000, 500, 40), use(1200, 500 + busyTicks, 40 + ownTicks), namespace);

test('what keeps the CPUs busy besides this process and its children is the work of others', () => {
  expect(judge(150, 140)).toEqual({ otherUse: 'seen', ticks: { others: 10, total: 200 } });
  expect(judge(150, 140, ownNamespace)).toEqual({
    otherUse: 'seen',
    ticks: { others: 10, total: 200 },
  });
});

test('a few ticks either way are the kernel’s sampling', () => {
  expect(judge(145, 140)).toEqual({ otherUse: 'not-seen', ticks: { others: 5, total: 200 } });
  expect(judge(138, 140)).toEqual({ otherUse: 'not-seen', ticks: { others: 0, total: 200 } });
  const short = judgeCpuUse(use(0, 0, 0), use(4, 4, 0), firstNamespace);
  expect(short).toEqual({ otherUse: 'not-seen', ticks: { others: 4, total: 4 } });
});

test('nothing seen in a container may only be hidden', () => {
  expect(judge(140, 140, ownNamespace).otherUse).toBe('not-visible');
  expect(judge(140, 140, null).otherUse).toBe('not-visible');
});

test('without both readings nothing is visible', () => {
  const nothing = { otherUse: 'not-visible', ticks: null };
  expect(judgeCpuUse(null, use(1, 1, 1), firstNamespace)).toEqual(nothing);
  expect(judgeCpuUse(use(1, 1, 1), null, firstNamespace)).toEqual(nothing);
});

test('a process’s ticks are its own and those of its ended children, whatever its name', () => {
  const stat = '42 (a) b (c) R 1 42 42 0 -1 4194304 90 0 0 0 7 3 100 20 20 0 1 0 12345 1000 50';
  expect(parseOwnTicks(stat)).toBe(130);
  expect(parseOwnTicks('42 (x) R')).toBeNull();
  expect(parseOwnTicks(null)).toBeNull();
});

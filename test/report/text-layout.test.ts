import { expect, test } from 'vitest';
import { drawBars } from '../../src/report/bars.ts';
import { type Column, layOutTable, splitTable } from '../../src/report/text-layout.ts';

const column = (heading: string, ...cells: string[]): Column => ({
  heading,
  align: 'right',
  cells,
});
const item: Column = { heading: 'item', align: 'left', cells: ['a', 'longer'] };

test('a table that fits stands in one piece', () => {
  const groups = [[column('n', '10', '9')], [column('time', '1 ms', '10 ms')]];
  expect(splitTable(item, groups, 80)).toEqual([
    ['item     n   time', 'a       10   1 ms', 'longer   9  10 ms'],
  ]);
});

test('a table that does not fit is split between groups, and each piece names the items', () => {
  const groups = [
    [column('one', '1', '2'), column('two', '3', '4')],
    [column('three', '5', '6')],
    [column('four', '7', '8')],
  ];
  // item and the first group take 16 columns; the third group would make 23
  expect(splitTable(item, groups, 22).map(([headings]) => headings)).toEqual([
    'item    one  two',
    'item    three  four',
  ]);
  expect(splitTable(item, groups, 23).map(([headings]) => headings)).toEqual([
    'item    one  two  three',
    'item    four',
  ]);
});

test('colour touches neither the padding nor the heading', () => {
  const painted = { ...column('stable', 'no', 'yes'), paint: (text: string) => `<${text}>` };
  expect(layOutTable([item, painted])).toEqual([
    'item    stable',
    'a           <no>',
    'longer     <yes>',
  ]);
});

test.each([
  // 36 of 84 are 3.4 eighths, so the fourth height; nothing is a dot, the least count a stroke
  [[0, 0, 0, 36, 84], '3 ▄█ 4 items (tallest: 84 subsets at 4)'],
  [[1, 0, 800], '0 ▁·█ 2 items (tallest: 800 subsets at 2)'],
  [[0, 120], '1 █ 1 item (tallest: 120 subsets at 1)'],
])('the histogram %j in a line is %s', (histogram, line) => {
  expect(drawBars(histogram, 80)).toBe(line);
});

test('a histogram that is too wide for a line is told by its peak', () => {
  const histogram = Array.from({ length: 200 }, (_, at) => (at === 70 ? 9 : 1));
  expect(drawBars(histogram, 80)).toBe('tallest: 9 subsets at 70 items');
});

import { expect, test } from 'vitest';
import { correlationTail } from '../../src/stats/student-t.ts';

test.each([
  [0.1, 59, 0.44320505561522605],
  [0.1, 60, 0.43933436890525085],
  [-0.1, 60, 0.43933436890525085],
  [0.5, 59, 4.0807414592970344e-5],
  [0.5, 60, 3.5069919806475675e-5],
  [0.9, 98, 4.063405277490657e-37],
  [0.3, 1, 0.8060266319586435],
  [0.3, 2, 0.7],
])('r = %d with %d degrees of freedom has the tail of Student\u2019s t', (r, df, tail) => {
  expect(correlationTail(r, df) / tail).toBeCloseTo(1, 11);
});

test('no correlation is always reached, a perfect one never', () => {
  expect(correlationTail(0, 59)).toBe(1);
  expect(correlationTail(0, 60)).toBe(1);
  expect(correlationTail(1, 60)).toBe(0);
  expect(correlationTail(-1, 59)).toBe(0);
});

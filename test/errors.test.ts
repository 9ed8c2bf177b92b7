import { expect, test } from 'vitest';
import { describeError, RooflawError, throwFaults } from '../src/errors.ts';

test('no fault is no error', () => {
  expect(() => throwFaults('plan', [])).not.toThrow();
});

test('an error says what, where and what to try, for every fault', () => {
  try {
    throwFaults('plan p.json', [
      { where: 'models[0]', what: 'is missing', hint: 'add it' },
      { where: 'name', what: 'is empty' },
    ]);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(RooflawError);
    expect((error as RooflawError).exitStatus).toBe(2);
    expect(describeError(error as RooflawError)).toBe(
      [
        'rooflaw: plan p.json: 2 faults',
        '  models[0]: is missing',
        '    try: add it',
        '  name: is empty',
      ].join('\n'),
    );
  }
});

test('what is quoted in an error cannot steer the terminal', () => {
  const error = new RooflawError('not-found', 'no campaign "\u001b[31mred\u0007"', {
    hint: 'a\nb',
  });
  expect(describeError(error)).toBe('rooflaw: no campaign "\ufffd[31mred\ufffd"\ntry: a\nb');
});

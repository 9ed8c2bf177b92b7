import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findStartTransient } from '../../src/llama-bench/start-transient.ts';
import { formatRows, importText } from './bench-output.ts';

test('a warm-up of two samples, printed as 25232.42 ± 17263.49, is told from the rest', () => {
  const { runs } = importText(
    formatRows({
      samples_ns: '[91086995, 72706617, 13669845, 13533147, 13399155]',
      avg_ts: '25232.420445',
      stddev_ts: '17263.486494',
    }),
  );
  const [run] = runs;
  expect(run?.printed.avg_ts?.verdict).toBe('confirmed');
  expect(run?.printed.stddev_ts?.verdict).toBe('confirmed');
  expect(run?.statistics?.tokensPerSecond.overMeanTime).toBeCloseTo(12524.721709123132, 8);
  expect(run?.startTransient).toMatchObject({ count: 2, direction: 'slower', threshold: 1.05 });
  expect(run?.startTransient?.firstOverRest).toBeCloseTo(91086995 / 13533147, 12);
  expect(run?.startTransient?.rest).toMatchObject({ n: 3, medianNs: 13533147 });
  expect(run?.findings.map(({ code }) => code)).toEqual(['start-transient', 'rates-differ']);
  expect(run?.findings[0]?.text).toContain(
    'the first 2 samples differ from the rest: a warm-up transient. The first took 6.73 times',
  );
  expect(run?.findings[0]?.text).toContain('more than 1.05 times as slow');
  expect(run?.findings[1]?.text).toContain('101 % above');
});

test('one slow sample at the start is a warm-up transient, elsewhere it is none', () => {
  const rest = [12_000_000n, 12_100_000n, 12_050_000n, 11_950_000n];
  expect(findStartTransient([20_000_000n, ...rest], 512)).toMatchObject({
    count: 1,
    direction: 'slower',
  });
  expect(findStartTransient([...rest, 20_000_000n], 512)).toBeNull();
  expect(findStartTransient([rest[0]!, 20_000_000n, ...rest.slice(1)], 512)).toBeNull();
});

test('a fast start is told as such', () => {
  const transient = findStartTransient([900n, 1000n, 1010n, 1005n], 1);
  expect(transient).toMatchObject({ count: 1, direction: 'faster' });
});

test('the threshold is strict: 1.05 times the slowest of the rest is no transient', () => {
  expect(findStartTransient([1050n, 1000n, 990n], 1)).toBeNull();
  expect(findStartTransient([1051n, 1000n, 990n], 1)?.count).toBe(1);
});

test('two samples have no rest to differ from', () => {
  expect(findStartTransient([2000n, 1000n], 1)).toBeNull();
  expect(findStartTransient([2000n, 1000n, 1000n], 1)?.count).toBe(1);
});

test('the transient is the longest prefix, at most half, that is apart from all that follow', () => {
  const sample = fc.bigInt({ min: 900n, max: 1200n });
  fc.assert(
    fc.property(fc.array(sample, { minLength: 3, maxLength: 9 }), (samples) => {
      let expected = 0;
      for (let count = 1; count <= samples.length / 2; count++) {
        const isApart = (early: bigint, late: bigint) => early * 100n > late * 105n;
        const early = samples.slice(0, count);
        const late = samples.slice(count);
        const slow = early.every((a) => late.every((b) => isApart(a, b)));
        const fast = early.every((a) => late.every((b) => isApart(b, a)));
        if (slow || fast) expected = count;
      }
      expect(findStartTransient(samples, 1)?.count ?? 0).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

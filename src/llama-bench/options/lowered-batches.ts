import type { Execution } from '../../formats/protocol.ts';
import { canonicalJson } from '../../hash.ts';
import type { BenchTest, BenchVariant } from './request.ts';
import { nameTest } from './tests.ts';

/** The settings as llama.cpp takes them where the context has so many tokens. */
export function lowerBatches(execution: Execution, contextTokens: number): Execution {
  const batch = Math.min(execution.batch, contextTokens);
  return { ...execution, batch, ubatch: Math.min(execution.ubatch, batch) };
}

/**
 * Sentences on variants that are the same in a test: llama.cpp lowers the batch to the context, which
 * is as long as the test, and the part of it that is computed at once (-ub) to the batch.
 */
export function describeLoweredBatches(
  variants: readonly BenchVariant[],
  base: Execution,
  tests: readonly BenchTest[],
): string[] {
  const testsOf = new Map<string, string[]>();
  for (const test of tests) {
    const context = test.depth + test.tokens;
    const groups = Map.groupBy(variants, ({ changes, mainDevice }) => {
      return canonicalJson([lowerBatches({ ...base, ...changes }, context), mainDevice]);
    });
    for (const alike of groups.values()) {
      if (alike.length === 1) continue;
      const labels = alike.map(({ label }) => label).join(' and ');
      testsOf.set(labels, [...(testsOf.get(labels) ?? []), nameTest(test)]);
    }
  }
  return [...testsOf].map(
    ([labels, names]) =>
      `${labels} are the same in ${names.join(', ')}: llama.cpp lowers a batch to the context, which is as long as the test`,
  );
}

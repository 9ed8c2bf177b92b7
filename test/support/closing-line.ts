import type { Reporter, TestModule } from 'vitest/node';

/** Prints `N passed, N failed` as the last line, for people and for CI alike. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      if (!module.ok() && count.failed === 0) count.failed += 1;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
    process.once('exit', () => {
      process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`);
    });
  }
}

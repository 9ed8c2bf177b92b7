import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    globalSetup: ['test/support/compile-runner.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
  },
});

import { findRealBackend } from './real-backend.ts';

/** Vitest's global setup: compiles the runner once, before test files that need it run side by side. */
export default async function compileRunner(): Promise<void> {
  await findRealBackend();
}

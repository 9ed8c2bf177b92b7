import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { findEndFaults } from '../../scripts/crash/check-end.ts';
import { compileCrashPrograms, copyRunner } from '../../scripts/crash/compile.ts';
import type { Life } from '../../scripts/crash/live.ts';
import { makeCrashPlan } from '../../scripts/crash/plans.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';

/** What the lives of one test file need, until its tests have ended. Linux only. */
export async function prepareLives() {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-life-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const programs = await compileCrashPrograms(folder);
  return {
    failingCalls: programs.failingCalls,
    /** A life in a folder of its own, with a runner of its own. */
    async prepare(changes: Partial<Life> = {}): Promise<Life> {
      const work = mkdtempSync(join(folder, 'work-'));
      const runner = await copyRunner(programs, work);
      return {
        ...{ folder: work, runner, plan: 'fixed', repetitionMs: 2, timeLimitSeconds: 20 },
        ...changes,
      };
    },
  };
}

/** What is wrong with the campaign that a life, or several of them, brought to its end. */
export function findFaultsOf(
  { folder, plan, runner, timeLimitSeconds }: Life,
  acknowledged: ReadonlyMap<number, string>,
): Promise<string[]> {
  const made = makeCrashPlan(plan, timeLimitSeconds);
  return findEndFaults({ folder, plan: made, runner, acknowledged });
}

export function readLedgerOf({ folder }: Life): LedgerEntry[] {
  const lines = readFileSync(join(folder, 'crash/ledger.ndjson'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOfCampaign } from '../../src/campaign/locate.io.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { canonicalJson } from '../../src/hash.ts';
import { type CrashPrograms, copyRunner } from './compile.ts';
import type { Life } from './live.ts';
import { startLife } from './start-life.ts';

/**
 * Runs the same plan in a folder of its own, from its first trial to its last and with nothing killed;
 * only the runners that ended badly in the other campaign end badly here too, by themselves.
 * @returns what is wrong with it or differs, one sentence each, and how many steps were compared
 */
export async function compareWithUndisturbed(
  programs: CrashPrograms,
  disturbed: Omit<Life, 'folder' | 'runner' | 'failing'>,
  found: readonly LedgerEntry[],
): Promise<{ faults: string[]; steps: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-undisturbed-'));
  try {
    const runner = await copyRunner(programs, folder);
    const failing = found.flatMap((entry) => (entry.type === 'failed' ? [entry.trial] : []));
    const running = startLife({ ...disturbed, folder, runner, failing });
    const { status, signal } = await running.ended;
    if (status !== (failing.length === 0 ? 0 : 3)) {
      const end = `status ${status}, signal ${signal}: ${running.stderr()}`;
      return { faults: [`the undisturbed campaign ended with ${end}`], steps: 0 };
    }
    const due = readEntries(folderOfCampaign('crash', folder).ledger);
    const sessions = due.filter(({ type }) => type === 'session').length;
    const isWhole = sessions === 1 && due.every(({ type }) => type !== 'interrupted');
    if (!isWhole) return { faults: ['the undisturbed campaign was disturbed'], steps: 0 };
    return compareSteps(listSteps(found), listSteps(due));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function readEntries(ledger: string): LedgerEntry[] {
  const lines = readFileSync(ledger, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function compareSteps(
  found: readonly unknown[],
  due: readonly unknown[],
): { faults: string[]; steps: number } {
  const steps = Math.max(found.length, due.length);
  for (let step = 0; step < steps; step++) {
    const [is, was] = [found[step] ?? null, due[step] ?? null];
    if (canonicalJson(is) === canonicalJson(was)) continue;
    const what = `step ${step} is ${JSON.stringify(is)}, undisturbed it is ${JSON.stringify(was)}`;
    return { faults: [what], steps: step };
  }
  return { faults: [], steps };
}

/** All that is the same however often a campaign was interrupted, entry by entry in its order. */
export function listSteps(entries: readonly LedgerEntry[]): unknown[] {
  return entries.flatMap((entry): unknown[] => {
    switch (entry.type) {
      case 'campaign': {
        const { type, planSha256, protocolSha256, scheduleSeed } = entry;
        return [{ type, planSha256, protocolSha256, scheduleSeed }];
      }
      case 'intended': {
        if (entry.attempt > 0) return [];
        const { type, trial, round, position, item, modelSha256 } = entry;
        return [{ type, trial, round, position, item, modelSha256 }];
      }
      case 'observed':
      case 'failed': {
        const { type, trial, repetitions } = entry;
        return [{ type, trial, ...(type === 'observed' ? { repetitions } : {}) }];
      }
      case 'decision': {
        const { type, round, comparisons, stop } = entry;
        return [{ type, round, comparisons, stop }];
      }
      case 'end':
        return [{ type: entry.type, observed: entry.observed, failed: entry.failed }];
      default:
        return []; // session, interrupted, note: of the interruptions
    }
  });
}

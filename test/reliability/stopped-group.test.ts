import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createProcessRunner } from '../../src/campaign/process-runner.io.ts';
import { fakeProcess } from '../support/fast-runner-campaign.ts';
import { createTrial } from '../support/real-backend.ts';

// as on systems other than Linux, where there is no /proc to look in
vi.mock('../../src/campaign/left-processes.io.ts', () => ({
  findLeftProcesses: () => [],
  endLeftProcesses: async () => ({ found: [], alive: [] }),
}));

/** One that has ended and awaits its parent is still there, so that is no sign of life on Linux. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test.skipIf(process.platform === 'win32')(
  'a child in the trial’s process group is ended with it, where left processes cannot be looked for',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rooflaw-group-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const log = join(folder, 'trial.log');
    const runner = createProcessRunner(process.execPath, [fakeProcess, 'leaves-a-child'], {});
    const never = new AbortController().signal;
    const record = await runner.run(createTrial('/nowhere.gguf'), log, 20_000, never);
    expect(record).toMatchObject({ exitStatus: 0, endedBy: null });
    const child = Number(/child (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
    expect(child).toBeGreaterThan(1);
    await expect.poll(() => isAlive(child), { timeout: 10_000 }).toBe(false);
  },
);

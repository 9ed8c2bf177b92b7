import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CampaignFolder } from '../campaign/locate.io.ts';
import { restoreFromJournal, switchPolicy } from '../device/cpu-policy.io.ts';
import type { Launch } from '../formats/treatment.ts';

/** What CPU policies were before a trial changed them, so that they can be put back after a kill. */
const journalOf = ({ folder }: CampaignFolder) => join(folder, 'cpu-policy.journal.json');

/** What an arm wants before its process starts. @returns how long that took, and what undoes it */
export async function prepareLaunch(
  { idleMilliseconds, cpuPolicy }: Launch,
  folder: CampaignFolder,
  signal: AbortSignal,
): Promise<{ tookNs: number; undo(): Promise<void> }> {
  const started = process.hrtime.bigint();
  const policy =
    cpuPolicy === null
      ? null
      : await switchPolicy(cpuPolicy.attribute, cpuPolicy.value, journalOf(folder));
  if (idleMilliseconds > 0) await sleep(idleMilliseconds, undefined, { signal }).catch(() => {});
  return {
    tookNs: Number(process.hrtime.bigint() - started),
    undo: async () => {
      await policy?.restore();
    },
  };
}

/** Puts back what a session that was killed had changed. @returns what was done, in words, or null */
export function undoEarlierLaunch(folder: CampaignFolder): Promise<string | null> {
  return restoreFromJournal(journalOf(folder));
}

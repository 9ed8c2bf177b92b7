import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '../../src/random.ts';
import { compileCrashPrograms } from './compile.ts';
import { killCampaign } from './kill-campaign.ts';
import { countKills, emptyTally, type Tally } from './tally.ts';

/** Kills campaigns, with fixed rounds and with a stopping rule in turn, until so many kills. */
export async function killUntil(
  kills: number,
  seed: number,
  onCampaign: (tally: Tally) => void = () => {},
): Promise<{ tally: Tally; faults: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-crash-programs-'));
  try {
    const programs = await compileCrashPrograms(folder);
    const source = createRandom(`crash/${seed}`);
    const random = () => source.nextUint32() / 2 ** 32;
    const tally = emptyTally();
    for (let number = 0; countKills(tally) < kills; number++) {
      const plan = number % 2 === 0 ? 'fixed' : 'sequential';
      const left = Math.min(20, kills - countKills(tally));
      const faults = await killCampaign({ programs, plan, kills: left, random, tally });
      if (faults.length > 0) return { tally, faults };
      onCampaign(tally);
    }
    return { tally, faults: [] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CampaignEntry } from '../formats/ledger.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Which Rooflaw this is: version, and in a checkout its commit and whether files were changed. */
export async function describeProgram(): Promise<CampaignEntry['program']> {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    version: string;
  };
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('git', ['-C', root, ...args]);
    return stdout.trim();
  };
  try {
    const top = await git('rev-parse', '--show-toplevel');
    if (`${top}/` !== root) return { version, gitCommit: null, gitDirty: null }; // installed inside another repository
    const gitCommit = await git('rev-parse', 'HEAD');
    const gitDirty = (await git('status', '--porcelain')) !== '';
    return { version, gitCommit, gitDirty };
  } catch {
    return { version, gitCommit: null, gitDirty: null };
  }
}

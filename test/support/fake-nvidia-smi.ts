import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The only GPU that the fake lists. */
export const fakeGpu = {
  name: 'CUDA0',
  description: 'NVIDIA H200',
  memoryBytes: 0,
  type: 'gpu',
} as const;

const idleLine = '1980, 3201, 38, 127.31, 0x1, 0, 4, Enabled';

/** What it does when it is asked for a GPU's state, as a shell does it. */
const behaviours = {
  idle: `echo "${idleLine}"`,
  'used by another process': 'echo "1980, 3201, 61, 610.02, 0x0, 97, 20531, Enabled"',
  'warning beside': `echo "${idleLine}"; echo "WARNING: infoROM is corrupted at gpu 0000:3B:00.0"`,
  hangs: 'exec sleep 600',
  'prints slowly': 'printf "1980, 3201, "; exec sleep 600',
  'prints garbage': 'printf "\\001\\377, , \\n,,,,,,,,,,\\nno state\\n"',
  'prints long values': `printf "%0200d, 3201, 38, 127.31, 0x1, 0, 4, Enabled\\n" 7`,
  floods: 'exec yes "0, 0, 0, 0, 0, 0, 0"',
  fails: 'echo "Unable to determine the device handle"; exit 1',
} as const;
export type Behaviour = keyof typeof behaviours | 'is gone';

export interface FakeNvidiaSmi {
  behave(behaviour: Behaviour): void;
  /** Also its list of GPUs. */
  behaveAlways(behaviour: Behaviour): void;
}

/** Puts an nvidia-smi first in PATH until the test has ended. */
export function installNvidiaSmi(): FakeNvidiaSmi {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-smi-'));
  const program = join(folder, 'nvidia-smi');
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  onTestFinished(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true, force: true });
  });
  const write = (behaviour: Behaviour, list: string) => {
    if (behaviour === 'is gone') return rmSync(program, { force: true });
    writeFileSync(program, `#!/bin/sh\n${list}\n${behaviours[behaviour]}\n`, { mode: 0o755 });
  };
  const list = 'case "$*" in *index,uuid,name*) echo "0, GPU-aaaa, NVIDIA H200"; exit;; esac';
  write('idle', list);
  return {
    behave: (behaviour) => write(behaviour, list),
    behaveAlways: (behaviour) => write(behaviour, ''),
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Protocol } from '../../src/formats/protocol.ts';
import type { Space } from '../../src/formats/space.ts';
import { testCache } from './real-backend.ts';
import { smallProtocol, tinyArchitecture } from './small-plan.ts';

const program = fileURLToPath(new URL('../../bin/rooflaw.js', import.meta.url));
export interface Finished {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** A folder of its own for one test: to work in, and for its locks. */
export function workIn(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
    spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { ...process.env, XDG_CACHE_HOME: dirname(testCache), ROOFLAW_LOCKS: folder, ...env },
    });
  return {
    folder,
    start,
    run: (args, env) => finish(start(args, env)),
    write(name, value) {
      writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
      return name;
    },
  };
}

export interface Workspace {
  folder: string;
  start(args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Finished>;
  write(name: string, value: unknown): string;
}

export function finish(child: ChildProcess): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => (output.stdout += chunk));
  child.stderr?.on('data', (chunk) => (output.stderr += chunk));
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, ...output })));
}

/** One architecture, two quantizations: four items of milliseconds each. */
export const smallSpace: Space = {
  format: 'rooflaw-space',
  formatVersion: 1,
  name: 'small',
  description: 'For tests.',
  weightSeed: 1,
  design: null,
  architectures: [tinyArchitecture],
  conditions: [
    { architecture: 'tiny', quantization: 'Q8_0', sequenceLength: 16 },
    { architecture: 'tiny', quantization: 'F16', sequenceLength: 16 },
  ],
};

/** One thread, so that it runs anywhere. */
export function smallCpuProtocol(changes: Partial<Protocol> = {}): Protocol {
  const protocol = smallProtocol(changes);
  return { ...protocol, execution: { ...protocol.execution, threads: 1, threadsBatch: 1 } };
}

/** Makes `small.plan.json` in the workspace with the real command. */
export async function makeSmallPlan(
  work: Workspace,
  protocol = smallCpuProtocol(),
): Promise<Finished> {
  work.write('space.json', smallSpace);
  work.write('protocol.json', protocol);
  const files = [
    '--space',
    'space.json',
    '--protocol',
    'protocol.json',
    '--out',
    'small.plan.json',
  ];
  return work.run(['plan', ...files, '--seed', '7']);
}

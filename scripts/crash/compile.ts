import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCompiler } from '../../src/backend/compiler.io.ts';
import { runTool } from '../../src/backend/run-tool.io.ts';

export interface CrashPrograms {
  /** A runner that measures nothing. Its path is of this folder alone, so leftovers can be told. */
  runner: string;
  /** For LD_PRELOAD: file calls that fail, a clock that goes back. */
  failingCalls: string;
}

/** Compiles what stands in for the machine's faults into a folder. Linux only. */
export async function compileCrashPrograms(folder: string): Promise<CrashPrograms> {
  await mkdir(folder, { recursive: true });
  const compiler = await findCompiler(process.env);
  const compile = async (name: string, output: string, options: readonly string[]) => {
    const source = fileURLToPath(new URL(`./${name}.cpp`, import.meta.url));
    const args = [...compiler.baseArguments, '-std=c++17', '-O1', source, '-o', output, ...options];
    const { exitStatus, stderr } = await runTool(compiler.command, args);
    if (exitStatus !== 0) throw new Error(`cannot compile ${name}.cpp:\n${stderr}`);
    return output;
  };
  const [runner, failingCalls] = await Promise.all([
    compile('fast-runner', join(folder, 'fast-runner'), []),
    compile('failing-calls', join(folder, 'failing-calls.so'), ['-shared', '-fPIC', '-ldl']),
  ]);
  return { runner, failingCalls };
}

/** A copy under another path, so that the processes of one campaign can be told from others'. */
export async function copyRunner({ runner }: CrashPrograms, folder: string): Promise<string> {
  const copy = join(folder, 'fast-runner');
  await copyFile(runner, copy);
  return copy;
}

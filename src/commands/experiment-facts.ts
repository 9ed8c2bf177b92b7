import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findPolicySwitch } from '../device/cpu-policy.io.ts';
import { whoRanAvailability } from '../device/who-ran.io.ts';
import type { ExperimentFacts } from '../experiment/builtin.ts';

/** What of the built-in experiments this machine can do, tried where that is cheap. */
export async function readExperimentFacts(
  wishes: Pick<ExperimentFacts, 'wishedCpus' | 'observer' | 'hasTrainedFile'>,
  allowedCpus: readonly number[] | null,
  isCpuDevice: boolean,
): Promise<ExperimentFacts> {
  return {
    ...wishes,
    cpus:
      allowedCpus === null ? null : allowedCpus.filter((cpu) => listOnlineCpus()?.has(cpu) ?? true),
    isCpuDevice,
    whyNot: {
      fixedAddresses: tryCommand('setarch', ['-R', 'true']),
      whoRuns: whoRanAvailability(),
      perfStat: tryCommand('setpriv', ['--pdeathsig', 'KILL', '--', 'perf', 'stat', '--', 'true']),
    },
    cpuPolicy: await readPolicy(),
  };
}

/** @returns null when it works, otherwise why not */
function tryCommand(command: string, args: readonly string[]): string | null {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: 10_000 });
  const words = [command, ...args].join(' ');
  if (error !== undefined) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing ? `there is no program ${command} here` : `\`${words}\`: ${error.message}`;
  }
  if (status === 0) return null;
  const [firstLine = ''] = stderr.trim().split('\n');
  return `\`${words}\` ended with status ${status}: ${firstLine}`.slice(0, 300);
}

/** null where the system has no such list. */
function listOnlineCpus(): Set<number> | null {
  try {
    const text = readFileSync('/sys/devices/system/cpu/online', 'utf8').trim();
    return new Set(text.split(',').flatMap(expandRange));
  } catch {
    return null;
  }
}

function expandRange(text: string): number[] {
  const [first = Number.NaN, last = first] = text.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** The governor before the energy preference: it changes more. Two values: as it is, and another. */
async function readPolicy(): Promise<ExperimentFacts['cpuPolicy']> {
  const reasons: string[] = [];
  for (const attribute of ['scaling_governor', 'energy_performance_preference'] as const) {
    const found = await findPolicySwitch(attribute);
    if ('withheld' in found) {
      reasons.push(`${attribute}: ${found.withheld}`);
      continue;
    }
    const usual = found.current[0]?.value;
    const values = [...new Set([...(usual === undefined ? [] : [usual]), ...found.available])]
      .filter((value) => value !== 'userspace') // it names no policy, only who decides
      .slice(0, 3);
    if (values.length >= 2) return { attribute, values };
    reasons.push(`${attribute}: it knows one value only`);
  }
  return { withheld: reasons.join('; ') };
}

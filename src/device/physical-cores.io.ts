import { availableParallelism } from 'node:os';
import { countPhysicalCores } from './physical-cores.ts';
import { listSystemFolder, readSystemText } from './system-text.io.ts';

const cpuFolder = '/sys/devices/system/cpu';

/**
 * How many threads a computation on the CPU is best given by default: one for each physical core
 * that this process may use, as llama.cpp does, and no more than a control group's quota has time
 * for. Where the system does not tell cores from their threads: one for each CPU.
 */
export function countUsableCores(): number {
  const available = availableParallelism();
  if (process.platform !== 'linux') return available;
  const cores = countPhysicalCores({
    siblings: readSiblings(),
    cpuinfo: readSystemText('/proc/cpuinfo'),
    allowedList:
      /^Cpus_allowed_list:\s*(.+)$/m.exec(readSystemText('/proc/self/status') ?? '')?.[1] ?? null,
  });
  return Math.min(cores ?? available, available);
}

/** Nothing of a CPU that is switched off. */
function readSiblings(): Map<number, string> {
  const siblings = new Map<number, string>();
  for (const name of listSystemFolder(cpuFolder, /^cpu\d+$/)) {
    const topology = `${cpuFolder}/${name}/topology`;
    const list =
      readSystemText(`${topology}/thread_siblings_list`) ??
      readSystemText(`${topology}/thread_siblings`);
    if (list !== null && list !== '') siblings.set(Number(name.slice(3)), list);
  }
  return siblings;
}

/** What Linux tells of its CPUs; null is always "could not be read". */
export interface CpuTopology {
  /** By CPU: `topology/thread_siblings_list`, such as `0,4`, or the mask `thread_siblings`. */
  siblings: ReadonlyMap<number, string>;
  /** `/proc/cpuinfo`. */
  cpuinfo: string | null;
  /** `Cpus_allowed_list` of the process, such as `0-3,8`. */
  allowedList: string | null;
}

/**
 * Physical cores of which this process may use at least one CPU: the threads of one core count once.
 * They are told apart by the lists of thread siblings, else by `physical id` and `core id`.
 * @returns null where neither says so, as `/proc/cpuinfo` of ARM does not.
 */
export function countPhysicalCores({ siblings, cpuinfo, allowedList }: CpuTopology): number | null {
  const allowed = allowedList === null ? null : parseCpuList(allowedList);
  const isAllowed = (cpu: number) => allowed === null || allowed.has(cpu);
  return countSiblingLists(siblings, isAllowed) ?? countCoreIds(cpuinfo ?? '', isAllowed);
}

/** Far more than Linux can be built for (8192). */
const mostCpus = 2 ** 20;

/** CPUs of a list as the kernel writes it: `0-3,8`; null for what is no such list. */
export function parseCpuList(text: string): ReadonlySet<number> | null {
  const cpus = new Set<number>();
  let named = 0;
  for (const range of text.trim().split(',')) {
    const match = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(range);
    if (match === null) return null;
    const first = Number(match[1]);
    const last = Number(match[2] ?? first);
    named += Math.max(0, last - first + 1);
    if (named > mostCpus) return null;
    for (let cpu = first; cpu <= last; cpu++) cpus.add(cpu);
  }
  return cpus;
}

type IsAllowed = (cpu: number) => boolean;

/** CPUs of one core have the same list, and so the same text. */
function countSiblingLists(
  siblings: ReadonlyMap<number, string>,
  isAllowed: IsAllowed,
): number | null {
  const lists = [...siblings].filter(([cpu]) => isAllowed(cpu)).map(([, list]) => list);
  return new Set(lists).size || null;
}

function countCoreIds(cpuinfo: string, isAllowed: IsAllowed): number | null {
  const cpus = cpuinfo
    .split(/\n\s*\n/)
    .map(readCpu)
    .filter((cpu) => cpu !== null);
  if (cpus.some(({ core }) => core === null) || hasCrowdedCore(cpus)) return null;
  const cores = cpus.filter(({ processor }) => isAllowed(processor)).map(({ core }) => core);
  return new Set(cores).size || null;
}

interface Cpu {
  processor: number;
  /** `physical id` and `core id`: ids of cores are those inside one package. */
  core: string | null;
  /** Threads of one core, as `siblings` and `cpu cores` say; null where they do not. */
  threadsPerCore: number | null;
}

/** Null for what is about no CPU, as the last lines are on a Raspberry Pi. */
function readCpu(block: string): Cpu | null {
  const numberOf = (key: string): number | null => {
    const text = new RegExp(`^${key}\\s*: (\\d+)$`, 'm').exec(block)?.[1];
    return text === undefined ? null : Number(text);
  };
  const processor = numberOf('processor');
  if (processor === null) return null;
  const coreId = numberOf('core id');
  const [siblings, cores] = [numberOf('siblings'), numberOf('cpu cores')];
  return {
    processor,
    core: coreId === null ? null : `${numberOf('physical id') ?? 0} ${coreId}`,
    threadsPerCore: siblings && cores ? siblings / cores : null,
  };
}

/** Some hypervisors give every CPU the same ids: then they tell nothing apart. */
function hasCrowdedCore(cpus: readonly Cpu[]): boolean {
  const threads = new Map<string | null, number>();
  for (const { core } of cpus) threads.set(core, (threads.get(core) ?? 0) + 1);
  return cpus.some(({ core, threadsPerCore }) => {
    return threadsPerCore !== null && threads.get(core)! > Math.ceil(threadsPerCore);
  });
}

import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { countUsableCores } from '../../src/device/physical-cores.io.ts';
import { countPhysicalCores, parseCpuList } from '../../src/device/physical-cores.ts';

const unknown = { siblings: new Map<number, string>(), cpuinfo: null, allowedList: null };

/** As x86 kernels write it; of the many lines those that matter and some between. */
function x86(
  model: string,
  siblings: number,
  cpuCores: number,
  ids: readonly (readonly [physical: number, core: number])[],
): string {
  const blocks = ids.map(
    ([physical, core], processor) => `processor	: ${processor}
vendor_id	: GenuineIntel
model name	: ${model}
cache size	: 8192 KB
physical id	: ${physical}
siblings	: ${siblings}
core id		: ${core}
cpu cores	: ${cpuCores}
apicid		: ${processor}
flags		: fpu vme ht hypervisor
bogomips	: 6816.61
power management:
`,
  );
  return blocks.join('\n').trim();
}

const cores = (...ids: number[]) => ids.map((core) => [0, core] as const);

/** Four cores with two threads each: the second threads come after all first ones. */
const desktop = x86('Intel(R) Core(TM) i7-6700 CPU @ 3.40GHz', 8, 4, [
  ...cores(0, 1, 2, 3),
  ...cores(0, 1, 2, 3),
]);
const desktopSiblings = new Map(
  [0, 1, 2, 3, 4, 5, 6, 7].map((cpu) => [cpu, `${cpu % 4},${(cpu % 4) + 4}`]),
);

test('the threads of a core count once', () => {
  expect(countPhysicalCores({ ...unknown, cpuinfo: desktop })).toBe(4);
  expect(countPhysicalCores({ ...unknown, siblings: desktopSiblings })).toBe(4);
  expect(
    countPhysicalCores({ siblings: desktopSiblings, cpuinfo: desktop, allowedList: '0-7' }),
  ).toBe(4);
});

test('masks of siblings do as well as lists', () => {
  const masks = ['00000005', '0000000a', '00000005', '0000000a'];
  expect(countPhysicalCores({ ...unknown, siblings: new Map(masks.entries()) })).toBe(2);
});

test('in a container with a set of CPUs only cores of that set count', () => {
  const container = (allowedList: string) => [
    countPhysicalCores({ ...unknown, cpuinfo: desktop, allowedList }),
    countPhysicalCores({ ...unknown, siblings: desktopSiblings, allowedList }),
  ];
  expect(container('0-1')).toEqual([2, 2]);
  expect(container('1,5')).toEqual([1, 1]); // both threads of one core
  expect(container('2-3,6')).toEqual([2, 2]);
  expect(container('0-127')).toEqual([4, 4]); // CPUs that could be plugged in
});

test('cores of two packages may have the same ids, with gaps', () => {
  const ids = [0, 1].flatMap((physical) => [0, 1, 8, 9].map((core) => [physical, core] as const));
  const server = x86('Intel(R) Xeon(R) CPU', 8, 4, [...ids, ...ids]);
  expect(countPhysicalCores({ ...unknown, cpuinfo: server })).toBe(8);
  expect(countPhysicalCores({ ...unknown, cpuinfo: server, allowedList: '0-4' })).toBe(5);
});

test('cores with one thread stand beside cores with two', () => {
  // i5-12600K: six cores with two threads, then four with one
  const hybrid = x86('12th Gen Intel(R) Core(TM) i5-12600K', 16, 10, [
    ...cores(0, 0, 4, 4, 8, 8, 12, 12, 16, 16, 20, 20),
    ...cores(24, 25, 26, 27),
  ]);
  expect(countPhysicalCores({ ...unknown, cpuinfo: hybrid })).toBe(10);
});

test('a virtual machine without threads has a core for each CPU', () => {
  const machine = x86('Intel(R) Xeon(R) Processor', 2, 2, cores(0, 1));
  expect(countPhysicalCores({ ...unknown, cpuinfo: machine, allowedList: '0-1' })).toBe(2);
});

test('ids that are the same for more CPUs than a core has threads tell nothing', () => {
  const machine = x86('Virtual CPU', 1, 1, cores(0, 0, 0, 0));
  expect(countPhysicalCores({ ...unknown, cpuinfo: machine })).toBeNull();
});

/** A Raspberry Pi 3 B+. */
const arm = `${[0, 1, 2, 3]
  .map(
    (processor) => `processor	: ${processor}
model name	: ARMv7 Processor rev 4 (v7l)
BogoMIPS	: 89.60
Features	: half thumb fastmult vfp edsp neon vfpv3 tls vfpv4
CPU implementer	: 0x41
CPU architecture: 7
CPU variant	: 0x0
CPU part	: 0xd03
CPU revision	: 4
`,
  )
  .join('\n')}
Hardware	: BCM2835
Revision	: a020d3`;

test('ARM names no core, and its siblings are asked', () => {
  expect(countPhysicalCores({ ...unknown, cpuinfo: arm })).toBeNull();
  const siblings = new Map(['0', '1', '2', '3'].entries());
  expect(countPhysicalCores({ ...unknown, siblings, cpuinfo: arm })).toBe(4);
  expect(countPhysicalCores({ siblings, cpuinfo: arm, allowedList: '0,3' })).toBe(2);
});

test('what cannot be read is unknown', () => {
  expect(countPhysicalCores(unknown)).toBeNull();
  expect(countPhysicalCores({ ...unknown, cpuinfo: '' })).toBeNull();
  expect(countPhysicalCores({ ...unknown, cpuinfo: desktop, allowedList: '64-71' })).toBeNull();
});

test('a list of CPUs has numbers and ranges', () => {
  expect([...parseCpuList('0-3,8\n')!]).toEqual([0, 1, 2, 3, 8]);
  expect([...parseCpuList('7')!]).toEqual([7]);
  for (const text of ['', 'all', '0-', '1,,2', '-1']) expect(parseCpuList(text)).toBeNull();
});

test('here there is at least one core, and no more than there is CPU time for', () => {
  const count = countUsableCores();
  expect(Number.isInteger(count)).toBe(true);
  expect(count).toBeGreaterThanOrEqual(1);
  expect(count).toBeLessThanOrEqual(availableParallelism());
});

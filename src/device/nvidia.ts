import type { MeasuredDevice } from './measured-device.ts';

/** What one query reads of a GPU, by nvidia-smi's name, and the name it has in the ledger. */
const stateFields = {
  'clocks.sm': 'clockSmMHz',
  'clocks.mem': 'clockMemoryMHz',
  'temperature.gpu': 'temperatureC',
  'power.draw': 'powerW',
  'clocks_event_reasons.active': 'clocksEventReasons',
  'utilization.gpu': 'utilisationPercent',
  'memory.used': 'memoryUsedMiB',
  persistence_mode: 'persistenceMode',
} as const;
export type GpuReading = (typeof stateFields)[keyof typeof stateFields];

export const stateQuery = Object.keys(stateFields);
/** Drivers before 535 know the reasons by their former name only. */
export const formerStateQuery = stateQuery.map((field) =>
  field.replace('clocks_event_reasons', 'clocks_throttle_reasons'),
);

/** The longest is 18 characters; what a ledger keeps of a tool gone wrong is bounded. */
const value = /^[ -~]{0,64}$/;

/**
 * Reads one line of `--format=csv,noheader,nounits`, each value as its text.
 * @returns null when it has not one short value for each field.
 */
export function parseStateLine(line: string): Record<GpuReading, string> | null {
  const names = Object.values(stateFields);
  const values = line.trim().split(/,\s*/);
  if (values.length !== names.length || !values.every((text) => value.test(text))) return null;
  const entries = names.map((name, index) => [name, values[index]!]);
  return Object.fromEntries(entries) as Record<GpuReading, string>;
}

export interface ListedGpu {
  index: string;
  uuid: string;
  name: string;
}

/** Reads the lines of a query for index, uuid and name. */
export function parseGpuList(text: string): ListedGpu[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/,\s*/))
    .filter((values) => values.length === 3)
    .map(([index, uuid, name]) => ({ index: index!, uuid: uuid!, name: name! }));
}

export function isNvidia({ name, description, type }: MeasuredDevice): boolean {
  return type === 'gpu' && (/^CUDA\d+$/.test(name) || description.includes('NVIDIA'));
}

/**
 * Which of nvidia-smi's GPUs a device is. Its name decides where it is the only one of that name.
 * Among equal GPUs CUDA counts in the order of the bus, as nvidia-smi does, within those that
 * CUDA_VISIBLE_DEVICES leaves.
 * @returns nvidia-smi's index, or null when it cannot be told.
 */
export function findGpuIndex(
  device: Pick<MeasuredDevice, 'name' | 'description'>,
  gpus: readonly ListedGpu[],
  visibleDevices: string | undefined,
): string | null {
  const alike = gpus.filter(({ name }) => name === device.description);
  if (alike.length === 1) return alike[0]!.index;
  const ordinal = /^CUDA(\d+)$/.exec(device.name)?.[1];
  if (ordinal === undefined) return null;
  const visible = visibleDevices === undefined ? gpus : selectVisible(gpus, visibleDevices);
  const gpu = visible?.[Number(ordinal)];
  if (gpu === undefined || visible?.some(({ name }) => name !== gpu.name)) return null;
  return gpu.index;
}

/** Indices or beginnings of UUIDs; null for anything else, such as a slice of a GPU. */
function selectVisible(gpus: readonly ListedGpu[], visibleDevices: string): ListedGpu[] | null {
  const wishes = visibleDevices.split(',').map((wish) => wish.trim());
  const selected = wishes.map((wish) =>
    gpus.find(
      ({ index, uuid }) => index === wish || (wish.startsWith('GPU-') && uuid.startsWith(wish)),
    ),
  );
  return selected.every((gpu) => gpu !== undefined) ? selected : null;
}

/** Bits of the clocks event reasons as NVML documents them; idle (1) is no disturbance. */
const reasonNames: Record<number, string> = {
  2: 'application clocks are set',
  4: 'power cap in software',
  8: 'slowdown in hardware',
  16: 'sync boost',
  32: 'thermal slowdown in software',
  64: 'thermal slowdown in hardware',
  128: 'power brake',
  256: 'display clocks are set',
};

/** What holds the clocks down, in words; empty for `0x0` and for an idle GPU. */
export function explainClocksEventReasons(reasons: string): string[] {
  const bits = Number.parseInt(reasons, 16);
  return Object.entries(reasonNames)
    .filter(([bit]) => (bits & Number(bit)) !== 0)
    .map(([, name]) => name);
}

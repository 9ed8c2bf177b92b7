import { type Execution, executionSchema } from '../../formats/protocol.ts';
import { formatCpuMask, readCpuMask } from './cpu-mask.ts';
import {
  type ListReader,
  quote,
  readFlags,
  readIntegers,
  readWords,
  splitFew,
} from './value-lists.ts';

/** One value of a setting: what it changes, and how it is written in a label. */
export interface Choice {
  text: string;
  changes: Partial<Execution>;
  /** Only of -mg. */
  mainDevice?: number;
}

/** An option whose values are combined with those of the others. */
export interface Setting {
  /** In labels: the option without its dashes. */
  label: string;
  /** The options that add to its values. */
  readers: Readonly<Record<string, ListReader<Choice>>>;
  /** The last one given counts alone: -mg, --numa and --prio. All others add up. */
  isReplaced?: boolean;
}

const { shape } = executionSchema;

function limitsOf(schema: { minValue: number | null; maxValue: number | null }) {
  return { least: schema.minValue!, most: schema.maxValue! };
}

function choose<Value>(
  read: ListReader<Value>,
  describe: (value: Value) => Choice,
): ListReader<Choice> {
  return (text, onFault) => read(text, onFault).map(describe);
}

function chooseFlag(changesOf: (flag: boolean) => Partial<Execution>): ListReader<Choice> {
  return choose(readFlags, (flag) => ({ text: flag ? '1' : '0', changes: changesOf(flag) }));
}

function chooseWord<Value extends string>(
  words: Readonly<Record<string, Value>>,
  changesOf: (value: Value) => Partial<Execution>,
  refuse?: (word: string) => string | null,
): ListReader<Choice> {
  const choices = new Map(
    Object.entries(words).map(([text, value]) => [text, { text, changes: changesOf(value) }]),
  );
  return readWords(choices, refuse);
}

/** One word, of an option that takes no list. */
function chooseOne<Value extends string>(
  words: Readonly<Record<string, Value>>,
  changesOf: (value: Value) => Partial<Execution>,
): ListReader<Choice> {
  const read = chooseWord(words, changesOf);
  return (text, onFault) => {
    if (!text.includes(',')) return read(text, onFault);
    onFault(`${quote(text)} is a list; it takes one value`);
    return [];
  };
}

/** llama-bench's names of the members of `Execution`, in the order in which it combines them. */
export const kvTypeNames = {
  f16: 'F16',
  bf16: 'BF16',
  q8_0: 'Q8_0',
  q4_0: 'Q4_0',
  q4_1: 'Q4_1',
  q5_0: 'Q5_0',
  q5_1: 'Q5_1',
} as const;
export const loadModeNames = {
  none: 'none',
  mmap: 'mmap',
  mlock: 'mlock',
  'mmap+mlock': 'mmap-mlock',
  dio: 'direct-io',
} as const;
const splitModeNames = { none: 'none', layer: 'layer', row: 'row', tensor: 'tensor' } as const;
const lazyModeNames = { on: 'on', auto: 'auto', off: 'off' } as const;

const numaNames = {
  disabled: 'disabled',
  distribute: 'distribute',
  isolate: 'isolate',
  numactl: 'numactl',
} as const;
const priorityNames = {
  '-1': 'low',
  '0': 'normal',
  '1': 'medium',
  '2': 'high',
  '3': 'realtime',
} as const;

const onWords = ['1', 'on', 'enabled', 'true'];
const offWords = ['0', 'off', 'disabled', 'false'];

const refuseAuto = (option: string, instead: string) => (word: string) =>
  word === 'auto' || word === '-1'
    ? `${quote(word)} would hide what was measured: say ${option} ${instead}`
    : null;

const flashAttention = readWords<Choice>(
  new Map<string, Choice>([
    ...offWords.map((word) => [word, { text: '0', changes: { flashAttention: 'off' } }] as const),
    ...onWords.map((word) => [word, { text: '1', changes: { flashAttention: 'on' } }] as const),
  ]),
  refuseAuto('-fa', '0, -fa 1, or -fa 0,1 for both'),
);

const refuseType = (word: string) =>
  word === 'iq4_nl' ? `${quote(word)} is not supported here; q4_0 has as many bits` : null;

/** The settings of llama-bench that a variant is made of, in the order of its loops, outermost first. */
export const settings: readonly Setting[] = [
  {
    label: 'ngl',
    readers: {
      '-ngl': choose(readIntegers({ least: -1, most: 4096 }), (layers) => ({
        text: String(layers),
        changes: { gpuLayers: layers < 0 ? 'all' : layers },
      })),
    },
  },
  {
    label: 'sm',
    readers: { '-sm': chooseWord(splitModeNames, (splitMode) => ({ splitMode })) },
  },
  {
    label: 'lm',
    readers: {
      '-lm': chooseWord(
        loadModeNames,
        (loadMode) => ({ loadMode }),
        refuseAuto('-lm', 'mmap or -lm none'),
      ),
      '-mmp': choose(readFlags, (flag) => {
        const loadMode = flag ? 'mmap' : 'none';
        return { text: loadMode, changes: { loadMode } };
      }),
      '-dio': choose(readFlags, (flag) =>
        flag
          ? { text: 'dio', changes: { loadMode: 'direct-io' } }
          : { text: 'none', changes: { loadMode: 'none' } },
      ),
    },
  },
  {
    label: 'lzm',
    readers: { '-lzm': chooseWord(lazyModeNames, (lazyMode) => ({ lazyMode })) },
  },
  {
    label: 'mg',
    isReplaced: true,
    readers: {
      '-mg': choose(readIntegers({ least: 0, most: 255 }), (index) => ({
        text: String(index),
        changes: {},
        mainDevice: index,
      })),
    },
  },
  {
    label: 'no-host',
    readers: { '--no-host': chooseFlag((flag) => ({ hostBuffers: !flag })) },
  },
  {
    label: 'nopo',
    readers: { '-nopo': chooseFlag((flag) => ({ opOffload: !flag })) },
  },
  {
    label: 'b',
    readers: {
      '-b': choose(readIntegers(limitsOf(shape.batch)), (batch) => ({
        text: String(batch),
        changes: { batch },
      })),
    },
  },
  {
    label: 'ub',
    readers: {
      '-ub': choose(readIntegers(limitsOf(shape.ubatch)), (ubatch) => ({
        text: String(ubatch),
        changes: { ubatch },
      })),
    },
  },
  {
    label: 'ctk',
    readers: { '-ctk': chooseWord(kvTypeNames, (kvTypeK) => ({ kvTypeK }), refuseType) },
  },
  {
    label: 'ctv',
    readers: { '-ctv': chooseWord(kvTypeNames, (kvTypeV) => ({ kvTypeV }), refuseType) },
  },
  {
    label: 'nkvo',
    readers: { '-nkvo': chooseFlag((flag) => ({ kvOffload: !flag })) },
  },
  { label: 'fa', readers: { '-fa': flashAttention } },
  {
    label: 't',
    readers: {
      '-t': choose(readIntegers(limitsOf(shape.threads)), (threads) => ({
        text: String(threads),
        changes: { threads, threadsBatch: threads },
      })),
    },
  },
  { label: 'C', readers: { '-C': readMasks } },
  {
    label: 'cpu-strict',
    readers: {
      '--cpu-strict': chooseFlag((threadPoolStrictCpu) => ({ threadPoolStrictCpu })),
    },
  },
  {
    label: 'poll',
    readers: {
      '--poll': choose(readIntegers(limitsOf(shape.threadPoolPoll)), (threadPoolPoll) => ({
        text: String(threadPoolPoll),
        changes: { threadPoolPoll },
      })),
    },
  },
  {
    label: 'numa',
    isReplaced: true,
    readers: { '--numa': chooseOne(numaNames, (numa) => ({ numa })) },
  },
  {
    label: 'prio',
    isReplaced: true,
    readers: {
      '--prio': chooseOne(priorityNames, (threadPoolPriority) => ({ threadPoolPriority })),
    },
  },
];

function readMasks(text: string, onFault: (what: string) => void): Choice[] {
  return splitFew(text, onFault).flatMap((mask) => {
    const affinity = readCpuMask(mask);
    if (affinity !== null) return [{ text: formatCpuMask(affinity), changes: { affinity } }];
    onFault(`${quote(mask)} is no mask of CPUs in hexadecimal such as 0xff (at most 128 digits)`);
    return [];
  });
}

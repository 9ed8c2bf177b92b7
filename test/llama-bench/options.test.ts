import { expect, test } from 'vitest';
import { executionSchema } from '../../src/formats/protocol.ts';
import { describeIdleLayers } from '../../src/llama-bench/options/idle-layers.ts';
import { benchOptions } from '../../src/llama-bench/options/option-table.ts';
import { listBenchOptions, parseBenchOptions } from '../../src/llama-bench/options/parse.ts';

const parse = (line: string) => parseBenchOptions(line.split(' '), { threads: 6 });
const tests = (line: string) =>
  parse(`-m a.gguf ${line}`).tests.map(
    ({ phase, tokens, depth }) => `${phase} ${tokens} @ ${depth}`,
  );
const labels = (line: string) => parse(`-m a.gguf ${line}`).variants.map(({ label }) => label);
/** What one variant changes. */
const changes = (line: string) => {
  const { variants } = parse(`-m a.gguf ${line}`);
  expect(variants).toHaveLength(1);
  return variants[0]!.changes;
};

test('a bare -m asks for what llama-bench would measure', () => {
  const { base, ...request } = parse('-m model.gguf');
  expect(request).toEqual({
    models: ['model.gguf'],
    tests: [
      { phase: 'prefill', tokens: 512, depth: 0 },
      { phase: 'decode', tokens: 128, depth: 0 },
    ],
    variants: [{ label: 'default', changes: {}, mainDevice: null }],
    repetitions: null,
    output: 'md',
    ours: {
      budgetNs: null,
      processes: null,
      warmup: null,
      kept: null,
      name: null,
      backends: [],
      device: null,
      protocol: null,
      assumeYes: false,
    },
    notes: [],
  });
  expect(executionSchema.parse(base)).toEqual(base);
  expect(base).toMatchObject({
    threads: 6,
    threadsBatch: 6,
    threadPoolPoll: 50,
    batch: 2048,
    ubatch: 512,
    flashAttention: 'off',
    kvTypeK: 'F16',
    kvTypeV: 'F16',
    kvOffload: true,
    gpuLayers: 'all',
    loadMode: 'mmap',
    lazyMode: 'auto',
    swaFull: false,
    internalTimers: false,
  });
});

test('models come from lists and from repeated options, each once', () => {
  const { models, notes } = parse('-m a.gguf,b.gguf --model c.gguf -m a.gguf');
  expect(models).toEqual(['a.gguf', 'b.gguf', 'c.gguf']);
  expect(notes).toEqual(['-m names a file twice; it is measured once']);
});

test('a file whose name has a comma is one file where it is there', () => {
  const there = ['w,8b.gguf', 'a.gguf', 'b.gguf'];
  const read = (...names: string[]) => {
    const words = names.flatMap((name) => ['-m', name]);
    const fileExists = (path: string) => there.includes(path);
    const { models, notes } = parseBenchOptions(words, { threads: 1, fileExists });
    return { models, notes };
  };
  expect(read('w,8b.gguf', 'a.gguf,b.gguf')).toEqual({
    models: ['w,8b.gguf', 'a.gguf', 'b.gguf'],
    notes: [],
  });
  expect(read('w,9b.gguf')).toEqual({
    models: ['w', '9b.gguf'],
    notes: ['-m w,9b.gguf: no file has this whole name, so its commas divide: "w" and "9b.gguf"'],
  });
});

test('a decode may be as long as a context', () => {
  expect(tests('-p 0 -n 5000')).toEqual(['decode 5000 @ 0']);
});

test('batches that the context of a test makes the same are named', () => {
  const words = (line: string) => parse(`-m a.gguf ${line}`).notes.slice(-1);
  expect(words('-p 16 -n 4 -b 32,64 -ub 8')).toEqual([
    'b=32 and b=64 are the same in pp16, tg4: llama.cpp lowers a batch to the context, which is as long as the test',
  ]);
  expect(words('-p 48 -n 0 -b 32,64,128 -ub 8')).toEqual([
    'b=64 and b=128 are the same in pp48: llama.cpp lowers a batch to the context, which is as long as the test',
  ]);
  // at a depth the context is longer: 48 + 16 tokens
  expect(words('-p 16 -n 0 -d 48 -b 32,64 -ub 8')).toEqual([]);
  expect(words('-p 16 -n 0 -ub 32,16 -b 64')).toEqual([
    'ub=32 and ub=16 are the same in pp16: llama.cpp lowers a batch to the context, which is as long as the test',
  ]);
});

test('layers that a CPU does not take are named, apart from what else differs', () => {
  const words = (line: string) => {
    const { variants, base } = parse(`-m a.gguf ${line}`);
    return describeIdleLayers(variants, base);
  };
  expect(words('-ngl 0,99')).toEqual([
    'ngl=0 and ngl=99 are the same in every test: on a CPU -ngl changes nothing',
  ]);
  expect(words('-fa 0,1 -ngl 0,99').map((note) => note.split(' are ')[0]!.split(' and '))).toEqual([
    [expect.stringContaining('fa=0'), expect.stringContaining('fa=0')],
    [expect.stringContaining('fa=1'), expect.stringContaining('fa=1')],
  ]);
  expect(words('-ngl 99 -fa 0,1')).toEqual([]);
});

test('tests come in llama-bench’s order: at each depth the prompts, then the generations', () => {
  expect(tests('-p 512,128 -n 16 -n 32 -d 0,4096')).toEqual([
    'prefill 512 @ 0',
    'prefill 128 @ 0',
    'decode 16 @ 0',
    'decode 32 @ 0',
    'prefill 512 @ 4096',
    'prefill 128 @ 4096',
    'decode 16 @ 4096',
    'decode 32 @ 4096',
  ]);
});

test('0 tokens are no test, and the default of the other stays', () => {
  expect(tests('-p 0')).toEqual(['decode 128 @ 0']);
  expect(tests('-n 0')).toEqual(['prefill 512 @ 0']);
});

test.each([
  ['1-4', [1, 2, 3, 4]],
  ['8-32+8', [8, 16, 24, 32]],
  ['1-8*2', [1, 2, 4, 8]],
  ['1-10*3', [1, 3, 9]],
  ['4-9+4', [4, 8]],
  ['7,1-2,5-5', [7, 1, 2, 5]],
  ['3,', [3]],
])('-p %s is read as llama-bench reads it', (text, values) => {
  expect(tests(`-n 0 -p ${text}`)).toEqual(values.map((value) => `prefill ${value} @ 0`));
});

test('a test that is asked twice is measured once, and it is said', () => {
  const { tests: asked, notes } = parse('-m a.gguf -p 64 -p 64 -n 0');
  expect(asked).toHaveLength(1);
  expect(notes).toEqual(['pp64 is asked twice and measured once']);
});

test('variants are all combinations in the order of llama-bench’s loops', () => {
  expect(labels('-t 1-4*2 -fa 0,1')).toEqual([
    'fa=0,t=1',
    'fa=0,t=2',
    'fa=0,t=4',
    'fa=1,t=1',
    'fa=1,t=2',
    'fa=1,t=4',
  ]);
  expect(labels('--poll 1')).toEqual(['default']);
});

test('a label has only what differs; what is the same everywhere is in the changes', () => {
  const { variants } = parse('-m a.gguf -t 4 -ctk f16,q8_0');
  expect(variants).toEqual([
    { label: 'ctk=f16', changes: { threads: 4, threadsBatch: 4 }, mainDevice: null },
    {
      label: 'ctk=q8_0',
      changes: { threads: 4, threadsBatch: 4, kvTypeK: 'Q8_0' },
      mainDevice: null,
    },
  ]);
});

test.each([
  ['-t 3', { threads: 3, threadsBatch: 3 }],
  ['--threads 6', {}],
  ['--poll 0', { threadPoolPoll: 0 }],
  ['--prio -1', { threadPoolPriority: 'low' }],
  ['--prio 1 --prio 3', { threadPoolPriority: 'realtime' }],
  ['--numa isolate', { numa: 'isolate' }],
  ['-C 0x5', { affinity: [0, 2] }],
  ['-C F0 --cpu_strict 1', { affinity: [4, 5, 6, 7], threadPoolStrictCpu: true }],
  ['-C 0x0', {}],
  ['-b 4096 -ub 1024', { batch: 4096, ubatch: 1024 }],
  ['-fa on', { flashAttention: 'on' }],
  ['--flash-attn enabled', { flashAttention: 'on' }],
  ['-fa false', {}],
  ['-ctk bf16 -ctv q4_1 -fa 1', { kvTypeK: 'BF16', kvTypeV: 'Q4_1', flashAttention: 'on' }],
  ['-nkvo 1', { kvOffload: false }],
  ['-ngl 20', { gpuLayers: 20 }],
  ['-ngl -1', {}],
  ['-sm row', { splitMode: 'row' }],
  ['-lm mmap+mlock', { loadMode: 'mmap-mlock' }],
  ['-lm dio', { loadMode: 'direct-io' }],
  ['-mmp 0', { loadMode: 'none' }],
  ['--mmap 1', {}],
  ['-dio 1', { loadMode: 'direct-io' }],
  ['-lzm off', { lazyMode: 'off' }],
  ['-nopo 1', { opOffload: false }],
  ['--no-host 1', { hostBuffers: false }],
  ['--no_host=1', { hostBuffers: false }],
  ['-embd 0 -ncmoe 0 --delay 0 -oe none -v --progress', {}],
])('%s changes the right members', (line, expected) => {
  expect(changes(line)).toEqual(expected);
});

test('options that mean the same setting add to one list, in the order given', () => {
  expect(labels('-mmp 1 -lm none -dio 1')).toEqual(['lm=mmap', 'lm=none', 'lm=dio']);
});

test('a repeated -mg replaces the first, as in llama-bench', () => {
  expect(parse('-m a.gguf -mg 0 -mg 1,2').variants).toEqual([
    { label: 'mg=1', changes: {}, mainDevice: 1 },
    { label: 'mg=2', changes: {}, mainDevice: 2 },
  ]);
});

test('a micro-batch above the batch is lowered as llama.cpp does, and it is said', () => {
  const { variants, notes } = parse('-m a.gguf -b 128 -ub 64,256,512');
  expect(variants).toEqual([
    { label: 'ub=64', changes: { batch: 128, ubatch: 64 }, mainDevice: null },
    { label: 'ub=256', changes: { batch: 128, ubatch: 128 }, mainDevice: null },
  ]);
  expect(notes).toEqual([
    '-ub 256 is more than -b 128: llama.cpp computes 128 tokens at once, and so it is measured',
    '-ub 512 is more than -b 128: llama.cpp computes 128 tokens at once, and so it is measured',
    'ub=512 is then the same as ub=256 and measured once',
  ]);
});

test('our own options are kept apart', () => {
  const { ours, repetitions, output } = parse(
    '-m a.gguf --budget 1h30m --processes 12 --warmup 3 -r 7 --kept 7 --name mine --backend x --backend y -dev CUDA0 --protocol v1 --yes --json',
  );
  expect(ours).toEqual({
    budgetNs: 5_400_000_000_000,
    processes: 12,
    warmup: 3,
    kept: 7,
    name: 'mine',
    backends: ['x', 'y'],
    device: 'CUDA0',
    protocol: 'v1',
    assumeYes: true,
  });
  expect(repetitions).toBe(7);
  expect(output).toBe('json');
});

test.each([
  ['90s', 90_000_000_000],
  ['5m', 300_000_000_000],
  ['5min', 300_000_000_000],
  ['0.5h', 1_800_000_000_000],
])('a budget of %s is so many nanoseconds', (text, budgetNs) => {
  expect(parse(`-m a.gguf --budget ${text}`).ours.budgetNs).toBe(budgetNs);
});

test('llama-bench’s words for devices and warm-up have ours', () => {
  expect(parse('-m a.gguf -dev none').ours.device).toBe('CPU');
  expect(parse('-m a.gguf --device auto').ours.device).toBeNull();
  expect(parse('-m a.gguf --no-warmup').ours.warmup).toBe(0);
});

test('the last -o counts', () => {
  expect(parse('-m a.gguf -o json -o csv').output).toBe('csv');
});

test('every option is listed for --help once, with a sentence', () => {
  const listed = listBenchOptions();
  const names = listed.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  expect(listed.every(({ sentence }) => /^[A-Zmd0-9].*\.$/.test(sentence))).toBe(true);
  expect(listed.find(({ name }) => name === '-fa')).toEqual({
    name: '-fa',
    aliases: ['--flash-attn'],
    value: 'on|off,…',
    sentence: 'Flash attention (off; auto would hide what was measured).',
    section: 'settings',
  });
});

test('what cannot be placed and listed is told with what llama-bench has for it', () => {
  const refusalOf = (option: string) =>
    benchOptions.find(({ names }) => names.includes(option))!.refusal!;
  for (const option of ['-ot', '-ncmoe']) {
    expect(refusalOf(option).why).toContain('-ngl');
    expect(refusalOf(option).why).not.toContain('trial');
  }
  expect(refusalOf('--list-devices').instead).toContain('llama-bench --list-devices');
});

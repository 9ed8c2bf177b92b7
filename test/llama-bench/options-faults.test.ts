import { expect, test } from 'vitest';
import { RooflawError } from '../../src/errors.ts';
import { findNearestName } from '../../src/llama-bench/options/nearest-name.ts';
import { listBenchOptions, parseBenchOptions } from '../../src/llama-bench/options/parse.ts';

function faultsOf(args: readonly string[]) {
  try {
    parseBenchOptions(args, { threads: 2 });
  } catch (error) {
    if (error instanceof RooflawError && error.code === 'invalid-input') return error.faults;
    throw error;
  }
  throw new Error('it was taken');
}
const faults = (line: string) => faultsOf(`-m a.gguf ${line}`.split(' '));

test('every fault is said at once', () => {
  expect(faultsOf('a.gguf --flash-atn 1 -t 0 -pg 512,128 -o xml -n'.split(' '))).toEqual([
    { where: '"a.gguf"', what: 'belongs to no option', hint: '-m a.gguf' },
    {
      where: '--flash-atn',
      what: 'is no option of rooflaw bench or llama-bench',
      hint: '--flash-attn',
    },
    {
      where: '-pg',
      what: 'is not supported: a prompt and an answer in one timer is a sum that hides both',
      hint: '-p PP -n TG measures them apart; -n TG -d PP is the answer after such a prompt',
    },
    { where: '-n', what: 'needs a value: -n N,…' },
    { where: '-m', what: 'is missing: no model is named', hint: '-m model.gguf' },
    { where: '-t', what: '0 must be from 1 to 512' },
    { where: '-o', what: '"xml" is none of md, csv, json, jsonl, sql' },
  ]);
});

test.each([
  ['-p 5-3', '"5-3" begins above its end'],
  ['-p 0-8*2', '"0-8*2" does not grow from one value to the next'],
  ['-p 1-8+0', '"1-8+0" does not grow from one value to the next'],
  ['-p 1-8*1', '"1-8*1" does not grow from one value to the next'],
  ['-p 1,,2', '"" is neither a whole number nor a range such as 1-4, 8-32+8, 1-8*2'],
  ['-p 1.5', '"1.5" is neither a whole number nor a range such as 1-4, 8-32+8, 1-8*2'],
  ['-p -1', '-1 must be from 0 to 1,048,576'],
  ['-p 1-1000000', '"1-1000000" makes more than 1,000 values'],
  ['-n 1048577', '1048577 must be from 0 to 1,048,576'],
  ['-ngl -2', '-2 must be from -1 to 4,096 (-1: all)'],
  ['--poll 101', '101 must be from 0 to 100'],
  ['-nkvo on', '"on" must be 0 or 1'],
  ['-ctk q9', '"q9" is none of f16, bf16, q8_0, q4_0, q4_1, q5_0, q5_1'],
  ['-ctk iq4_nl', '"iq4_nl" is not supported here; q4_0 has as many bits'],
  ['-fa auto', '"auto" would hide what was measured: say -fa 0, -fa 1, or -fa 0,1 for both'],
  ['-fa -1', '"-1" would hide what was measured: say -fa 0, -fa 1, or -fa 0,1 for both'],
  ['-lm auto', '"auto" would hide what was measured: say -lm mmap or -lm none'],
  ['-C 0xg', '"0xg" is no mask of CPUs in hexadecimal such as 0xff (at most 128 digits)'],
  ['--prio 0,1', '"0,1" is a list; it takes one value'],
  ['-r 0', '"0" must be a whole number from 1 to 10,000'],
  ['--processes 0', '"0" must be a whole number from 1 to 10,000'],
  ['--budget 5', '"5" is no time above 0 with its unit'],
  ['--budget 0s', '"0s" is no time above 0 with its unit'],
  ['-r 5 --kept 3', '5 and --kept 3 are both the repetitions kept in a process'],
  ['--no-warmup --warmup 2', 'contradicts --warmup 2'],
  ['--json -o csv', 'contradicts -o csv'],
  ['-dev CUDA0,CUDA1', 'names 2 devices; a campaign has one'],
  ['-dev CUDA0/CUDA1', '"CUDA0/CUDA1" splits a model over devices; a trial has one'],
  ['--yes=1', 'takes no value, and has "1"'],
  ['-p 0 -n 0', 'leave nothing to measure'],
  ['-t 1-512 -b 1-3', 'make 1,536 combinations; at most 1,000 are measured'],
])('%s is refused', (line, what) => {
  expect(faults(line).map((fault) => fault.what)).toEqual([what]);
});

test('a quantised cache of values needs flash attention, in every combination', () => {
  const [fault, ...more] = faults('-ctv f16,q8_0 -fa 0,1');
  expect(more).toEqual([]);
  expect(fault).toMatchObject({
    where: '-ctv',
    what: 'q8_0 needs flash attention, which is off in a combination',
  });
  expect(() => parseBenchOptions('-m a -ctv q8_0 -fa 1'.split(' '), { threads: 2 })).not.toThrow();
});

test('strict placing of threads needs a mask', () => {
  expect(faults('--cpu-strict 1')).toEqual([
    {
      where: '--cpu-strict',
      what: '1 gives each thread a CPU of the mask, and there is none in a combination',
      hint: '-C 0xf for the first four CPUs',
    },
  ]);
});

test('an option is not taken for the value of the one before it', () => {
  expect(faults('-p -n 64 -d --budget=5m')).toEqual([
    { where: '-p', what: 'needs a value: -p N,…' },
    { where: '-d', what: 'needs a value: -d N,…' },
  ]);
});

test('every option that is not supported says why and what to do instead', () => {
  const refused = listBenchOptions().filter(({ section }) => section === 'refused');
  expect(refused.map(({ name }) => name)).toEqual([
    '-pg',
    '-embd',
    '-ts',
    '-ot',
    '-ncmoe',
    '-fitt',
    '-fitc',
    '-rpc',
    '-hf',
    '-hff',
    '-hft',
    '--offline',
    '--delay',
    '-oe',
    '--list-devices',
  ]);
  for (const { name, value } of refused) {
    const [fault, ...more] = faultsOf(['-m', 'a.gguf', name, ...(value === null ? [] : ['7'])]);
    expect(more).toEqual([]);
    expect(fault?.where).toBe(name);
    expect(fault?.what).toMatch(/^is not supported: /);
    expect(fault?.hint).toMatch(/\w{3}/);
  }
});

test.each([
  ['--ngl', '-ngl'],
  ['-threads', '--threads'],
  ['--treads', '--threads'],
  ['--n-promt', '--n-prompt'],
  ['--modle', '--model'],
  ['--batchsize', '--batch-size'],
  ['-tck', '-ctk'],
  ['--quantum', null],
  ['-x', null],
])('%s is near %s', (typed, nearest) => {
  const names = listBenchOptions().flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(findNearestName(typed, names)).toBe(nearest);
});

test.each(['-p', '-fa', '-C'])(
  'of a list of a million values of %s one fault is told',
  (option) => {
    expect(faults(`${option} ${'x,'.repeat(1_000_000)}`)).toEqual([
      { where: option, what: 'has more than 1,000 values' },
    ]);
  },
);

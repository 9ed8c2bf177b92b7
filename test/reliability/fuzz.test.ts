import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { deviceTargets } from '../../scripts/fuzz/device-targets.ts';
import { examine } from '../../scripts/fuzz/examine.ts';
import { jsonTargets } from '../../scripts/fuzz/json-targets.ts';
import { ledgerTargets } from '../../scripts/fuzz/ledger-targets.ts';
import { publicationTargets } from '../../scripts/fuzz/publication-targets.ts';
import { runTargets } from '../../scripts/fuzz/run-target.ts';
import { runnerTargets } from '../../scripts/fuzz/runner-targets.ts';
import { tableTargets } from '../../scripts/fuzz/table-targets.ts';
import type { Target } from '../../scripts/fuzz/target.ts';
import { targets } from '../../scripts/fuzz/targets.ts';
import { wordTargets } from '../../scripts/fuzz/word-targets.ts';
import { countPhysicalCores } from '../../src/device/physical-cores.ts';
import { RooflawError } from '../../src/errors.ts';
import { decodeJson } from '../../src/formats/parse.ts';
import { findNearestName } from '../../src/llama-bench/options/nearest-name.ts';
import { parseBenchOptions } from '../../src/llama-bench/options/parse.ts';
import { findFirstRound } from '../../src/protocol/stopping-faults.ts';

/** `npm run fuzz` gives each parser far more; the seed is printed with what was found. */
const seed = '1';

/** As many in a thread as share their code. */
const groups: readonly (readonly Target[])[] = [
  ...[jsonTargets, ledgerTargets, runnerTargets, tableTargets, wordTargets],
  ...[deviceTargets, publicationTargets],
];

it('every target is in a group', () => {
  expect(groups.flat().map(({ name }) => name)).toEqual(targets.map(({ name }) => name));
});

it.each(groups.map((group) => group.map(({ name }) => name)))(
  '%s and those beside it refuse or read it, and do nothing else',
  async (...names) => {
    const effort = { seed, inputs: 60, untilMs: 100_000, everyLongInput: 250 };
    const { found, inputs } = await runTargets(names, effort);
    const told = found.map(({ finding, input }) => ({
      ...finding,
      seed,
      input: Buffer.from(input).toString('latin1').slice(0, 500),
    }));
    expect(told).toEqual([]);
    expect(inputs).toBeGreaterThanOrEqual(60 * names.length);
  },
  120_000,
);

/** A parser that does what none may. */
const faulty = (read: Target['read']): Target => ({
  ...{ name: 'faulty', kind: 'text', words: [], read },
  corpus: () => [new Uint8Array()],
});

const kindOf = async (read: Target['read']) =>
  (await examine(faulty(read), new Uint8Array(), tmpdir())).finding?.kind ?? null;

it('what a parser may not do is seen', async () => {
  expect(await kindOf(() => 'read')).toBeNull();
  expect(await kindOf(() => 'two\nlines, 日本 and 😀')).toBeNull();
  const refuse = () => {
    throw new RooflawError('invalid-input', 'no plan');
  };
  expect(await kindOf(refuse)).toBeNull();
  expect(await kindOf(() => (null as unknown as string).length.toString())).toBe('thrown');
  expect(await kindOf(() => `a \u001b[2J name`)).toBe('unprintable');
  expect(await kindOf(() => `a \u009b2J name`)).toBe('unprintable');
  const spin = () => {
    const start = process.threadCpuUsage().user;
    while (process.threadCpuUsage().user - start < 1_200_000);
    return 'late';
  };
  expect(await kindOf(spin)).toBe('slow');
  const pollute = () => {
    Reflect.set(Object.prototype, 'polluted', true);
    return 'done';
  };
  expect(await kindOf(pollute)).toBe('pollution');
  Reflect.deleteProperty(Object.prototype, 'polluted');
});

const messageOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof RooflawError) return error.faults.map(({ what }) => what).join('; ');
    throw error;
  }
  return 'read';
};

const million = 1_000_000;

describe('what fuzzing has found stays mended', () => {
  it('a runner that says half a character, or a sentence of megabytes, has failed its trial', async () => {
    const { read } = runnerTargets.find(({ name }) => name === 'runner-lines')!;
    const say = (message: string, member = '') =>
      read(
        Buffer.from(
          `{"type":"failure","code":"model-not-loaded","message":"${message}"${member}}\n`,
        ),
        tmpdir(),
      );
    expect(await say('no room: \\ud83d\\ude00')).toContain('refused-by-runner: model-not-loaded');
    const half = { message: expect.stringContaining('bad-output: line 1 of the runner: not JSON') };
    await expect(say('no room: \\ud83d')).rejects.toMatchObject(half);
    await expect(say('no room', ',"\\ude00":1')).rejects.toMatchObject(half);
    const long = /^bad-output: line 1 of the runner: message: longer than 16384 characters\n/;
    await expect(say('/a b'.repeat(3 * million))).rejects.toThrow(long);
    const unknown = say('no room', `,"${'x'.repeat(3 * million)}":1`);
    const told = (await Promise.resolve(unknown).catch((error: unknown) => error)) as RooflawError;
    expect(told.message).toMatch(/^bad-output: line 1 of the runner: /);
    expect(told.message.length).toBeLessThan(5000);
  });

  it('a deep JSON text is refused before its places are named', () => {
    const depth = 64;
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(messageOf(() => decodeJson(nested(depth), 'it'))).toBe('read');
    expect(messageOf(() => decodeJson(nested(depth + 1), 'it'))).toBe(
      'is nested more than 64 deep',
    );
    const twice = `{${'"b":1,'.repeat(50_000)}"c":1}`;
    const deep = `${'{"a":'.repeat(50_000)}${twice}${'}'.repeat(50_000)}`;
    expect(messageOf(() => decodeJson(deep, 'it'))).toBe('is nested more than 64 deep');
    expect(messageOf(() => decodeJson(twice, 'it')).split('; ')).toHaveLength(20);
  });

  it('a name of a million spaces, quotes or escapes is a name', () => {
    for (const piece of [' ', '\\"', '\\\\', ' :', '{']) {
      const key = piece.repeat(million / piece.length);
      expect(messageOf(() => decodeJson(`{"${key}" : 1, "b": 2}`, 'it'))).toBe('read');
      expect(messageOf(() => decodeJson(`{"${key}":1,"${key}" :2}`, 'it'))).toBe(
        'stands here twice',
      );
    }
  });

  it('half of a character is refused in every JSON file', () => {
    expect(messageOf(() => decodeJson('{"name":"\\ud83d\\ude00"}', 'it'))).toBe('read');
    expect(messageOf(() => decodeJson('{"name":"\\ud83d"}', 'it'))).toMatch(/half of a character/);
    expect(messageOf(() => decodeJson('{"\\ude00":1}', 'it'))).toMatch(/half of a character/);
  });

  it('an alpha that is nothing when it is divided ends no search', () => {
    expect(findFirstRound('S2', 5e-324 / 16)).toBe(Number.POSITIVE_INFINITY);
    expect(findFirstRound('S1', 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('a list of a hundred billion CPUs is no list', () => {
    const allowedList = `${'0-999999,'.repeat(100_000)}0`;
    const siblings = new Map([
      [0, '0'],
      [1, '1'],
    ]);
    expect(countPhysicalCores({ siblings, cpuinfo: null, allowedList })).toBe(2);
    expect(countPhysicalCores({ siblings, cpuinfo: null, allowedList: '1' })).toBe(1);
  });

  it('an option of a million letters is none, and a million options are not listed', () => {
    expect(findNearestName(`-${'x'.repeat(million)}`, ['--threads'])).toBeNull();
    expect(findNearestName('--thraeds', ['--poll', '--threads'])).toBe('--threads');
    const words = Array.from({ length: million }, () => 'x');
    const message = messageOf(() => parseBenchOptions(words, { threads: 1 }));
    expect(message.split('; ').filter((what) => what === 'belongs to no option')).toHaveLength(100);
    expect(message).toContain('is unread after 100 faults');
  });
});

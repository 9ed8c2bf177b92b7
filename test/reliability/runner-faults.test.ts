import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { logNameOf } from '../../src/campaign/log-file.io.ts';
import { createProcessRunner } from '../../src/campaign/process-runner.io.ts';
import type { TrialRunner } from '../../src/campaign/trial-runner.ts';
import { createDeviceStateReader } from '../../src/device/device-state.io.ts';
import type { FailedEntry } from '../../src/formats/ledger.ts';
import {
  fakeProcess,
  type MeasuredCampaign,
  measureCampaign,
} from '../support/fast-runner-campaign.ts';
import { smallPlan, smallProtocol } from '../support/small-plan.ts';

const memoryGroup = `/sys/fs/cgroup/memory/rooflaw-test-${process.pid}`;
const hasMemoryGroups = ((): boolean => {
  try {
    mkdirSync(memoryGroup);
    writeFileSync(join(memoryGroup, 'memory.limit_in_bytes'), String(192 * 1024 * 1024));
    return true;
  } catch {
    return false; // not root, or other control groups
  }
})();

/** Each fault, its code and its message. */
const faults: [fault: string, code: FailedEntry['code'], message: RegExp][] = [
  ['exits-early', 'exit-status', /^exit status 7$/],
  ['crashes', 'signal', /^ended by SIGSEGV$/],
  ['aborts', 'signal', /^ended by SIGABRT$/],
  ['asserts', 'signal', /^ended by SIGABRT: …\/ggml\.c:3100: GGML_ASSERT/],
  ['hangs', 'time-limit', /^ran past the time limit of [\d.]+ s$/],
  ['spins', 'time-limit', /^ran past the time limit of [\d.]+ s$/],
  ['ignores-sigterm', 'time-limit', /^ran past the time limit of [\d.]+ s$/],
  ['stops-itself', 'time-limit', /^ran past the time limit of [\d.]+ s$/],
  ['garbage', 'bad-output', /^line 1 of the runner: not JSON/],
  ['invalid-utf8', 'bad-output', /no UTF-8/],
  ['half-a-line', 'bad-output', /^line 1 of the runner: not JSON/],
  ['long-line', 'bad-output', /^printed \d+ bytes, more than 16777216$/],
  ['floods', 'bad-output', /^printed \d+ bytes, more than 16777216$/],
  ['long-log', 'bad-output', /^wrote \d+ bytes to its log, more than 67108864; the middle/],
  ['endless-log', 'bad-output', /^wrote \d+ bytes to its log, more than 67108864; the middle/],
  ['too-few', 'wrong-repetition-count', /^2 of 3 repetitions$/],
  ['too-many', 'wrong-repetition-count', /^4 of 3 repetitions$/],
  ['out-of-order', 'bad-output', /repetition 1 where 0 was due/],
  ['repeated', 'bad-output', /repetition 0 where 1 was due/],
  ['nan', 'bad-output', /not JSON/],
  ['infinity', 'bad-output', /not JSON/],
  ['overflow', 'bad-output', /wallNs/],
  ['text-time', 'bad-output', /wallNs/],
  ['null-time', 'bad-output', /wallNs/],
  ['half-time', 'bad-output', /wallNs/],
  ['negative-time', 'bad-output', /wallNs/],
  ['zero-time', 'invalid-time', /took 0 ns/],
  ['too-long-time', 'invalid-time', /the times add up to/],
  ['long-together', 'invalid-time', /^the times add up to 9000000032 ns/],
  ['long-load', 'invalid-time', /the times add up to/],
  ['impossible-memory', 'bad-output', /^its memory was 1125899906842624 bytes, the machine has/],
  ['end-first', 'bad-output', /repetition after the end/],
  ['no-end', 'bad-output', /ended without saying so/],
  ['goes-on', 'bad-output', /repetition after the end/],
  ['failure-then-success', 'refused-by-runner', /^decode-failed: llama_decode gave -3$/],
  ['bad-exit', 'exit-status', /^exit status 1$/],
  ['leaves-a-child', 'exit-status', /it left process \d+ \(.+\) running, ended now$/],
  ['leaves-a-session', 'exit-status', /it left process \d+ \(.+\) running, ended now$/],
  ['leaves-an-unmarked-child', 'exit-status', /it left process \d+ \(.+\) running, ended now$/],
  ['leaves-and-crashes', 'signal', /^ended by SIGSEGV; it left process \d+/],
  ['illegal-access', 'signal', /SIGABRT: CUDA error: an illegal memory access/],
  ['xid', 'time-limit', /^ran past the time limit of [\d.]+ s: NVRM: Xid .* fallen off the bus/],
  ['device-lost', 'exit-status', /^exit status 1: .*ErrorDeviceLost/],
  ['device-out-of-memory', 'out-of-memory', /^an allocation failed: CUDA error: out of memory$/],
  ['no-memory', 'out-of-memory', /^an allocation failed: .*failed to allocate buffer/],
  ...(hasMemoryGroups
    ? [['eats-memory', 'out-of-memory', /^ended by the kernel/] as (typeof faults)[number]]
    : []),
];

/** Every second trial is sound. */
const faultOf = (trial: number) =>
  trial % 2 === 0 ? 'none' : (faults[(trial - 1) / 2]?.[0] ?? 'none');

/** Faults that a shell brings about, which then becomes the runner. */
const shellFaults: Record<string, string> = {
  'eats-memory': `echo $$ > ${memoryGroup}/cgroup.procs`,
  'leaves-an-unmarked-child': 'env -i sleep 60 < /dev/null > /dev/null 2>&1 & echo "child $!" >&2', // but in its group
};

function createFaultyRunner(): TrialRunner {
  let trial = -1;
  return {
    run(...request) {
      trial += 1;
      const fault = faultOf(trial);
      const shell = shellFaults[fault];
      const runner =
        shell === undefined
          ? createProcessRunner(process.execPath, [fakeProcess, fault], {})
          : createProcessRunner(
              '/bin/sh',
              ['-c', `${shell}; exec "$0" "$@"`, process.execPath, fakeProcess, fault],
              {},
            );
      return runner.run(...request);
    },
  };
}

describe.skipIf(process.platform !== 'linux')('a campaign whose runner fails in every way', () => {
  const protocol = smallProtocol({
    processesPerItem: Math.ceil((2 * faults.length + 1) / 4),
    trialTimeLimitSeconds: 3,
  });
  const plan = smallPlan({ protocol });
  const planned = 4 * protocol.processesPerItem;
  let campaign: MeasuredCampaign;

  beforeAll(async () => {
    const device = { name: 'CPU', description: 'CPU', memoryBytes: 0, type: 'cpu' } as const;
    const reader = await createDeviceStateReader(device);
    campaign = await measureCampaign(plan, {
      runner: createFaultyRunner(),
      readDeviceState: () => reader.read(),
    });
    return () => {
      campaign.remove();
      if (hasMemoryGroups) rmdirSync(memoryGroup);
    };
  }, 180_000);

  const failedAt = (trial: number) =>
    campaign.entries.find(
      (entry) => entry.type === 'failed' && entry.trial === trial,
    ) as FailedEntry;

  test.each(faults)('%s is a failure called %s', (fault, code, message) => {
    const trial = 2 * faults.findIndex(([name]) => name === fault) + 1;
    const entry = failedAt(trial);
    expect(entry).toMatchObject({ code });
    expect(entry.message).toMatch(message);
    expect(entry.processNs).toBeGreaterThan(code === 'time-limit' ? 2_999_000_000 : 1_000_000);
  });

  test('the trials between are observed, and the campaign ends with exit status 3', () => {
    const { entries, exit } = campaign;
    const observed = entries.flatMap((entry) => (entry.type === 'observed' ? [entry.trial] : []));
    expect(observed).toEqual(
      Array.from({ length: planned }, (_, trial) => trial).filter((t) => faultOf(t) === 'none'),
    );
    expect(entries.at(-1)).toMatchObject({ type: 'end', failed: faults.length });
    expect(exit).toBe(3);
  });

  test('nothing is left running', () => {
    for (const [index, [fault]] of faults.entries()) {
      if (!fault.startsWith('leaves-')) continue;
      const log = join(campaign.logs, logNameOf(2 * index + 1, 0));
      const child = Number(/child (\d+)/.exec(readFileSync(log, 'utf8'))?.[1]);
      expect(child).toBeGreaterThan(1);
      const stat = `/proc/${child}/stat`;
      const state = existsSync(stat) ? readFileSync(stat, 'utf8').split(') ')[1]?.[0] : 'gone';
      expect(['gone', 'Z'], fault).toContain(state);
    }
  });

  test('a log that was too long is bounded, keeps its beginning and says what is missing', () => {
    const index = faults.findIndex(([fault]) => fault === 'long-log');
    const path = join(campaign.logs, logNameOf(2 * index + 1, 0));
    expect(statSync(path).size).toBeLessThan(3 * 1024 * 1024);
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^how it began\n/);
    expect(text).toMatch(/\n\[cut here: \d+ of \d+ bytes\]\n/);
  });

  test('verify finds it sound, and analyze shows n without the failures, and each by name', async () => {
    const verdict = await campaign.rooflaw('verify', 'small');
    expect(verdict.status, verdict.stdout).toBe(0);
    const { stdout, status } = await campaign.rooflaw('analyze', 'small', '--json');
    expect(status).toBe(0);
    const analysis = JSON.parse(stdout);
    const sum = (field: string) =>
      analysis.items.reduce(
        (total: number, item: Record<string, number>) => total + item[field]!,
        0,
      );
    expect(sum('n')).toBe(planned - faults.length);
    expect(sum('failed')).toBe(faults.length);
    expect(analysis.failures.map(({ code }: FailedEntry) => code)).toEqual(
      faults.map(([, c]) => c),
    );
  });
});

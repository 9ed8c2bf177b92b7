import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gateStatus } from '../../src/commands/gate.ts';
import { readGateRequest } from '../../src/commands/gate-request.ts';
import { assembleGate } from '../../src/commands/gate-result.ts';
import { loadAnalysis } from '../../src/commands/load-analysis.ts';
import { type Gate, gateSchema } from '../../src/formats/ab.ts';
import type { ItemAnalysis } from '../../src/formats/item-analysis.ts';
import { findRealBackend, writeTinyModel } from '../support/real-backend.ts';
import { finish, type Workspace, workIn } from '../support/rooflaw.ts';

const read = (work: Workspace, file: string) => readFileSync(join(work.folder, file), 'utf8');

function readGate(stdout: string): Gate {
  const printed = JSON.parse(stdout);
  const gate = gateSchema.parse(printed);
  expect(gate).toEqual(printed);
  return gate;
}

test('the help names the exit statuses, which are others than elsewhere', async () => {
  const { status, stdout } = await workIn().run(['gate', '-h']);
  expect(status).toBe(0);
  expect(stdout).toContain('0 pass, 1 regression, 2 inconclusive or unfit machine, 3 broken');
  expect(gateStatus).toEqual({ pass: 0, regression: 1, inconclusive: 2, unfit: 2, broken: 3 });
  expect((await workIn().run(['help', 'gate'])).stdout).toBe(stdout);
});

test('a faulty command line is 3, and the files say so', async () => {
  const work = workIn();
  const files = ['--summary', 's.md', '--junit', 'j.xml'];
  const words = ['gate', '-m', 'x.gguf', '--base', 'a', '--candidate', 'b', '--time', '5'];
  const { status, stdout, stderr } = await work.run([...words, ...files]);
  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  expect(stderr).toContain('--time: "5" is no time above 0 with its unit');
  expect(read(work, 's.md')).toContain('## rooflaw gate: BROKEN');
  expect(read(work, 'j.xml')).toContain('<error type="broken" message="options of gate: 1 fault;');
});

test('a faulty command line that asks for JSON gets it', async () => {
  const words = [
    'gate',
    '-m',
    'x.gguf',
    '--base',
    'a',
    '--candidate',
    'b',
    '--time',
    '5',
    '--json',
  ];
  const { status, stdout } = await workIn().run(words);
  expect(status).toBe(3);
  expect(readGate(stdout)).toMatchObject({
    verdict: 'broken',
    reason:
      'options of gate: 1 fault; --time: "5" is no time above 0 with its unit; try: 90s, 10m, 1h or 1h30m',
    maxSlowdown: null,
    timeLimitNs: null,
    measured: null,
  });
});

test('a model that is not there is 3, and so is a place that cannot be written to', async () => {
  const work = workIn();
  const words = ['gate', '-m', 'nowhere.gguf', '--a', '', '--b', '-fa 1'];
  expect(await work.run(words)).toMatchObject({ status: 3 });
  const lost = await work.run([...words, '--junit', 'no/such/folder/j.xml']);
  expect(lost.status).toBe(3);
  expect(lost.stderr).toContain('cannot write no/such/folder/j.xml');
});

const real = await findRealBackend();
const reason = real.state === 'ready' ? '' : ` (skipped: ${real.what})`;
describe.skipIf(real.state !== 'ready')(`gate on real llama.cpp${reason}`, () => {
  const one = ['-p', '8', '-n', '0', '-t', '1', '--warmup', '1', '--kept', '2'];

  test('base, base again and the candidate are measured, and all outputs agree', {
    timeout: 180_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    work.write('s.md', 'before\n');
    const limits = ['--max-slowdown', '90%', '--time', '30s', '--name', 'gated'];
    const files = ['--summary', 's.md', '--junit', 'j.xml', '--json'];
    const words = ['gate', '-m', model, ...one, '--a', '', '--b', '', ...limits, ...files];
    const { status, stdout, stderr } = await work.run(words);
    const gate = readGate(stdout);
    expect(gate.verdict).not.toBe('broken');
    expect(status).toBe(gateStatus[gate.verdict]);
    const measured = gate.measured!;
    // one test, base against itself and against the candidate
    expect(measured).toMatchObject({ campaign: 'gated', family: 2, alpha: 0.05, different: [] });
    expect(measured.rounds).toBeGreaterThanOrEqual(7); // 2^(1-t) is at most 0.05 / 2 from 7 on
    expect(measured.tests).toMatchObject([{ name: 'pp8', candidate: { pairs: measured.rounds } }]);
    // two comparisons that are decided, the last round, and every so many of them
    const regular = Math.floor(measured.rounds / Math.ceil(measured.plannedRounds / 12));
    expect(stderr.match(/^round \d+ of at most/gm)!.length).toBeLessThanOrEqual(3 + regular);
    const ledger = read(work, 'campaigns/gated/ledger.ndjson');
    for (const variant of ['base', 'base-again', 'candidate']) {
      expect(ledger).toContain(`"variant":"${variant}"`);
    }
    expect(ledger.split('"type":"observed"')).toHaveLength(3 * measured.rounds + 1);
    const { items } = JSON.parse((await work.run(['analyze', 'gated', '--json'])).stdout);
    const timeOf = (variant: string) =>
      items.find((item: ItemAnalysis) => item.variant === variant).representativeNs;
    const [base, again, candidate] = ['base', 'base-again', 'candidate'].map(timeOf);
    expect(measured.tests[0]!.again).toMatchObject({ aNs: base, bNs: again });
    expect(measured.tests[0]!.candidate).toMatchObject({ aNs: base, bNs: candidate });

    // the same campaign, had it gone otherwise
    const { record, analysis } = await loadAnalysis(join(work.folder, 'campaigns/gated'));
    const request = readGateRequest(['-m', model, ...one, '--a', '', '--b', ''], []);
    const judge = (changes: Partial<typeof analysis>) => {
      const changed = { record, analysis: { ...analysis, ...changes } };
      const state = { state: 'measured', plannedRounds: 100, isCutShort: true } as const;
      return assembleGate({ ...state, ...changed }, request, 1);
    };
    const sequential = analysis.sequential!;
    expect(judge({ progress: { ...analysis.progress, failed: 1 } })).toMatchObject({
      verdict: 'broken',
      reason: '1 trial failed, and what fails may be what is slow',
    });
    expect(judge({ sequential: { ...sequential, rounds: 6 } })).toMatchObject({
      verdict: 'inconclusive',
      reason:
        'the time was up after 6 rounds, and nothing can be decided before 7; more --time would help',
    });
    const judgeIntervals = (...intervals: [number, number][]) =>
      judge({
        sequential: {
          ...sequential,
          comparisons: sequential.comparisons.map((comparison, pair) => {
            const [lower, upper] = intervals[pair]!;
            return { ...comparison, running: { lower, upper } };
          }),
        },
      });
    expect(judgeIntervals([0.98, 1.02], [0.99, 1.03]).verdict).toBe('pass'); // 3 % are allowed
    expect(judgeIntervals([0.98, 1.02], [1.04, 1.1]).verdict).toBe('regression');
    expect(judgeIntervals([0.98, 1.02], [0.99, 1.04]).verdict).toBe('inconclusive');
    expect(judgeIntervals([0.96, 1.02], [1.04, 1.1]).verdict).toBe('unfit');
    // no median of equal sides is 100 times as slow
    const outside = judgeIntervals([0.01, 100], [0.99, 1.03]).measured!.tests[0]!.again;
    expect(outside.isMedianOutside).toBeUndefined();
    const moved = judgeIntervals([0.01, 100], [100, 101]);
    expect(moved.measured!.tests[0]!.candidate.isMedianOutside).toBe(true);
    expect(moved.reason).toContain('; in pp8 the median lies outside of its interval: ');

    expect(read(work, 's.md')).toMatch(/^before\n## rooflaw gate: /);
    expect(read(work, 's.md')).toContain('Base and candidate are the same');
    expect(read(work, 'j.xml')).toContain('<testsuite name="rooflaw gate" tests="2" failures="0"');
  });

  test('a name under which something was measured is refused before the pilot', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const rule = ['--alpha', '0.5', '--max-rounds', '2', '--name', 'mine'];
    const sides = ['-m', model, ...one, '--a', '', '--b', ''];
    expect(await work.run(['ab', ...sides, ...rule])).toMatchObject({ status: 0 });
    const files = ['--junit', 'j.xml', '--name', 'mine'];
    const { status, stderr } = await work.run(['gate', ...sides, ...files]);
    expect(status).toBe(3);
    expect(stderr).toContain('campaign mine is there already (campaigns/mine)');
    expect(stderr).not.toContain('pilot: ');
    expect(read(work, 'j.xml')).toContain('campaign mine is there already');
  });

  test('too little time is said after the pilot, with what it would take', {
    timeout: 120_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const words = ['gate', '-m', model, ...one, '--a', '', '--b', '-fa 1', '--time', '0.2s'];
    const { status, stdout } = await work.run([...words, '--name', 'short', '--junit', 'j.xml']);
    expect(status).toBe(2);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /^inconclusive: --time 200 ms is too short: nothing can be decided before 7 rounds, which take about [\d.]+ m?s with the pilot\. $/,
    );
    expect(read(work, 'j.xml')).toContain('<error type="inconclusive"');
    expect(existsSync(join(work.folder, 'campaigns/short'))).toBe(false);
  });

  test('a candidate that cannot run is 3', { timeout: 120_000 }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const sides = ['--a', '', '--b', '-sm tensor', '-dev', 'none'];
    const files = ['--junit', 'j.xml', '--summary', 's.md'];
    const { status, stdout } = await work.run(['gate', '-m', model, ...one, ...sides, ...files]);
    expect(status).toBe(3);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /^BROKEN: 2 trials of the pilot failed: .* \[candidate\] \(pp8\): .*2 trials failed, model-not-loaded: /,
    );
    expect(read(work, 'j.xml')).toContain('tests="1" failures="0" errors="1"');
    expect(read(work, 's.md')).toContain('## rooflaw gate: BROKEN');
  });

  test('a candidate without libraries is 3', { timeout: 120_000 }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const folders = ['--base', 'embedded', '--candidate', work.folder];
    const { status, stdout, stderr } = await work.run([
      'gate',
      '-m',
      model,
      ...one,
      ...folders,
      '--json',
    ]);
    expect(status).toBe(3);
    expect(readGate(stdout)).toMatchObject({ verdict: 'broken', measured: null });
    expect(stderr).toContain('no shared libraries of llama.cpp');
  });

  test.each([
    [
      'in the pilot',
      'campaigns/stopped-pilot/ledger.ndjson',
      /the same command with --name stopped/,
    ],
    [
      'in the campaign',
      'campaigns/stopped/ledger.ndjson',
      /rooflaw run campaigns\/stopped\/plan.json --name stopped/,
    ],
  ])(
    'Ctrl-C %s leaves what can be resumed, no verdict, and files that say so',
    {
      timeout: 120_000,
    },
    async (where, path, howToGoOn) => {
      const work = workIn();
      const model = await writeTinyModel('Q8_0');
      const words = ['gate', '-m', model, ...one, '--a', '', '--b', '', '--time', '10m'];
      const files = ['--junit', 'j.xml', '--summary', 's.md'];
      const child = work.start([...words, '--name', 'stopped', ...files]);
      const ended = finish(child);
      const ledger = join(work.folder, path);
      const sign = where === 'in the pilot' ? '"campaign"' : '"observed"';
      await expect
        .poll(() => existsSync(ledger) && readFileSync(ledger, 'utf8').includes(sign), {
          timeout: 60_000,
          interval: 5,
        })
        .toBe(true);
      child.kill('SIGINT');
      const { status, stdout, stderr } = await ended;
      expect({ status, stdout }).toEqual({ status: 130, stdout: '' });
      expect(stderr).toMatch(howToGoOn);
      expect(stderr.match(/^stopping/gm)).toHaveLength(1);
      expect(read(work, 'j.xml')).toContain('tests="1" failures="0" errors="1" skipped="0"');
      expect(read(work, 'j.xml')).toContain('<error type="broken" message="stopped ');
      expect(read(work, 'j.xml')).toMatch(howToGoOn);
      expect(read(work, 's.md')).toContain('## rooflaw gate: BROKEN\n\nWhy: stopped ');
    },
  );

  test('Ctrl-C before anything is measured is written, too, and is the JSON', {
    timeout: 60_000,
  }, async () => {
    const work = workIn();
    const model = await writeTinyModel('Q8_0');
    const words = ['gate', '-m', model, ...one, '--a', '', '--b', '', '--json', '--junit', 'j.xml'];
    // a runner has to be compiled first, which takes long enough to be stopped
    const child = work.start(words, { XDG_CACHE_HOME: work.folder });
    const ended = finish(child);
    await new Promise((resolve) => child.stderr!.once('data', resolve));
    child.kill('SIGINT');
    const { status, stdout } = await ended;
    expect(status).toBe(130);
    const { verdict, reason, measured } = readGate(stdout);
    expect({ verdict, measured }).toEqual({ verdict: 'broken', measured: null });
    expect(reason).toMatch(/^stopped /);
    expect(read(work, 'j.xml')).toContain('<error type="broken" message="stopped ');
  });
});

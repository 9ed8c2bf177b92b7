import { expect, test } from 'vitest';
import {
  type AbPair,
  type AbSide,
  type Gate,
  type GateTest,
  gateSchema,
} from '../../src/formats/ab.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import { escapeMarkdown } from '../../src/markdown.ts';
import { formatGate, formatGateSummary } from '../../src/report/format-gate.ts';
import { escapeXml, formatJunit } from '../../src/report/write-junit.ts';

const side = (label: string, commit: string): AbSide => ({
  label,
  model: { name: 'small', file: 'small.gguf', sha256: 'a'.repeat(64) },
  backend: { label, commit, librariesSha256: 'b'.repeat(64), runnerSha256: 'c'.repeat(64) },
  execution: createBaseExecution(2),
});

/** b takes `ratio` of 100 ms. */
const pair = (ratio: number, lower: number, upper: number): AbPair => ({
  aNs: 100_000_000,
  bNs: 100_000_000 * ratio,
  aTokensPerSecond: 5120,
  bTokensPerSecond: 5120 / ratio,
  ratio,
  interval: { lower, upper },
  pairs: 12,
  reason: null,
});

const fast: GateTest = {
  name: 'pp512',
  phase: 'prefill',
  tokens: 512,
  depth: 0,
  verdict: 'pass',
  fitness: 'fit',
  candidate: pair(1.01, 0.995, 1.02),
  again: pair(1, 0.99, 1.015),
};
const slow: GateTest = {
  ...fast,
  name: 'tg128',
  phase: 'decode',
  tokens: 128,
  verdict: 'regression',
  candidate: pair(1.25, 1.2, 1.3),
};

function gate(
  verdict: Gate['verdict'],
  tests: GateTest[],
  changes: Partial<NonNullable<Gate['measured']>> = {},
): Gate {
  return gateSchema.parse({
    format: 'rooflaw-gate',
    formatVersion: 1,
    verdict,
    reason: 'the candidate is slower than was allowed in tg128',
    maxSlowdown: 0.03,
    timeLimitNs: 600e9,
    tookNs: 61.5e9,
    measured: {
      campaign: 'gate-small',
      base: side('main', '0123456789abcdef'),
      candidate: side('pr', 'fedcba9876543210'),
      same: [{ what: 'model', value: 'small.gguf' }],
      different: [{ what: 'llama.cpp', a: 'main', b: 'pr' }],
      device: { name: 'CPU', description: 'A CPU' },
      alpha: 0.05,
      family: 4,
      repetitions: { warmup: 1, kept: 3 },
      rounds: 12,
      plannedRounds: 40,
      isCutShort: false,
      failedTrials: 0,
      tests,
      disturbance: {
        campaign: 'gate-small',
        otherUse: { seen: 0, notSeen: 10, notVisible: 0 },
        drift: [],
        twoSpeed: [],
        environment: [],
      },
      ...changes,
    },
  });
}

test('JUnit XML has a test case for the A/A arm and one for each test', () => {
  expect(formatJunit(gate('regression', [fast, slow]))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="rooflaw gate" tests="3" failures="1" errors="0" skipped="0" time="61.500">
  <testsuite name="rooflaw gate" tests="3" failures="1" errors="0" skipped="0" time="61.500">
    <testcase classname="rooflaw gate" name="A/A: base against itself">
      <system-out>pp512: fit: -1.00 % to +1.50 % where ±3 % is allowed. tg128: fit: -1.00 % to +1.50 % where ±3 % is allowed.</system-out>
    </testcase>
    <testcase classname="rooflaw gate" name="pp512">
      <system-out>pp512: pass: -0.50 % to +2.00 % where +3 % is allowed.</system-out>
    </testcase>
    <testcase classname="rooflaw gate" name="tg128">
      <failure type="regression" message="tg128: regression: +20.0 % to +30.0 % where +3 % is allowed."/>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('on an unfit machine the A/A arm is the error and the tests are skipped', () => {
  const wide = { ...slow, fitness: 'not-shown', again: pair(1, 0.9, 1.1) } as const;
  const xml = formatJunit(gate('unfit', [fast, wide]));
  expect(xml).toContain('tests="3" failures="0" errors="1" skipped="2"');
  expect(xml).toContain(
    '<error type="unfit" message="tg128: not shown to be fit: -10.0 % to +10.0 % where ±3 % is allowed."/>',
  );
  expect(xml).toContain('<skipped message="tg128: not judged: the machine is unfit."/>');
});

test('what could not be told is an error, not a skipped test', () => {
  const xml = formatJunit(gate('inconclusive', [{ ...fast, verdict: 'inconclusive' }]));
  expect(xml).toContain('tests="2" failures="0" errors="1" skipped="0"');
  expect(xml).toContain('<error type="inconclusive" message="pp512: inconclusive:');
});

test('failed trials are an error of their own', () => {
  const xml = formatJunit(gate('broken', [fast], { failedTrials: 2 }));
  expect(xml).toContain('tests="3" failures="0" errors="1" skipped="1"');
  expect(xml).toContain('name="measuring">\n      <error type="broken"');
});

test('a gate that measured nothing has one test case, with the reason', () => {
  const nothing: Gate = { ...gate('broken', [fast]), measured: null, reason: 'no "x" & <y>' };
  expect(formatJunit(nothing)).toContain(
    '<error type="broken" message="no &#34;x&#34; &#38; &#60;y&#62;"/>',
  );
});

test.each([
  ['a<b & "c">', 'a&#60;b &#38; &#34;c&#34;&#62;'],
  ['line\nnext\ttab', 'line&#10;next&#9;tab'],
  ['\u0000\u001b[31m\ufffe', '\ufffd\ufffd[31m\ufffd'],
  ['lone \ud800 surrogate', 'lone \ufffd surrogate'],
  ['\u{1f600} é', '\u{1f600} é'],
])('%j is safe in XML 1.0', (text, escaped) => {
  expect(escapeXml(text)).toBe(escaped);
});

test('the summary begins with the verdict and has a row for each test', () => {
  const lines = formatGateSummary(gate('regression', [fast, slow])).split('\n');
  expect(lines[0]).toBe('## rooflaw gate: REGRESSION');
  expect(lines[2]).toBe('Why: the candidate is slower than was allowed in tg128.');
  expect(lines.filter((line) => line.startsWith('|'))).toEqual([
    '| test | base | candidate | change | interval | verdict | A/A interval | A/A |',
    '|---|---:|---:|---:|---:|---:|---:|---:|',
    '| pp512 | 100.00 ms | 101.00 ms | +1.00 % | -0.50 % to +2.00 % | pass | -1.00 % to +1.50 % | fit |',
    '| tg128 | 100.00 ms | 125.00 ms | +25.00 % | +20.0 % to +30.0 % | regression | -1.00 % to +1.50 % | fit |',
  ]);
  expect(lines.join('\n')).toContain(
    'Base: main: small.gguf (0123456789ab). Candidate: pr: small.gguf (fedcba987654).',
  );
  expect(lines.slice(-2)).toEqual(['', '']); // what is appended next begins a paragraph
});

test('a verdict in doubt says so in its own line, in text and in the summary', () => {
  const disturbance = {
    campaign: 'gate-small',
    otherUse: { seen: 35, notSeen: 13, notVisible: 0 },
    drift: [{ phase: 'prefill', state: 'marked', change: 0.07, threshold: 0.05 } as const],
    twoSpeed: [],
    environment: [],
  };
  const doubtful = gate('regression', [fast, slow], { disturbance });
  const doubt =
    'the candidate is slower than was allowed in tg128; in doubt, see DISTURBED, DRIFT below: the 5 % holds only for independent rounds with one median ratio.';
  const lines = formatGate(doubtful, { colour: false, width: 400 }).split('\n');
  expect(lines[0]).toBe(`REGRESSION: ${doubt}`);
  expect(lines.join('\n')).toContain('regression (in doubt)');
  const summary = formatGateSummary(doubtful);
  expect(summary.split('\n')[2]).toBe(`Why: ${doubt}`);
  expect(summary).toContain('| pass (in doubt) |');
  // an unfit machine gives no verdict that could be doubted
  const unfit = formatGate(gate('unfit', [fast], { disturbance }), { colour: false, width: 400 });
  expect(unfit.split('\n')[0]).not.toContain('in doubt');
});

test('JUnit XML says what casts doubt once, with the A/A arm', () => {
  const disturbance = {
    campaign: 'gate-small',
    otherUse: { seen: 35, notSeen: 13, notVisible: 0 },
    drift: [{ phase: 'prefill', state: 'marked', change: 0.07, threshold: 0.05 } as const],
    twoSpeed: [],
    environment: [],
  };
  const xml = formatJunit(gate('regression', [fast, slow], { disturbance }));
  expect(xml).toContain(
    'is allowed. DISTURBED: others were seen at work on the device in 35 of 48 trials; nothing was removed for it. DRIFT, MARKED FOR REVIEW: pp512 of base took 7.00 % more time in the last rounds than in the first (more than 5 %). All verdicts are in doubt: the 5 % holds only for independent rounds with one median ratio.</system-out>',
  );
  expect(xml.split('pp512 of base took')).toHaveLength(2);
  expect(xml.split('holds only for')).toHaveLength(2);
  expect(xml).toContain(
    '<failure type="regression" message="tg128: regression: +20.0 % to +30.0 % where +3 % is allowed; in doubt: see DISTURBED, DRIFT in A/A: base against itself."/>',
  );
});

test('a median outside of its interval is said of the test, and its verdict is in doubt', () => {
  const candidate = { ...pair(0.7144, 1.0163, 1.82), isMedianOutside: true } as const;
  const moved = { ...slow, verdict: 'inconclusive', candidate } as const;
  const words =
    'the median lies outside of its interval: the ratio changed during the run (chance alone does this rarely), so neither of the two describes it';
  const told: Gate = {
    ...gate('inconclusive', [fast, moved]),
    reason: `not known in tg128; in tg128 ${words}`,
  };
  expect(formatJunit(told)).toContain(
    `<error type="inconclusive" message="tg128: inconclusive: +1.63 % to +82.0 % where +3 % is allowed; ${words} (median -28.56 %)."/>`,
  );
  expect(formatGate(told, { colour: false, width: 400 }).split('\n')[0]).toContain(words);
  const summary = formatGateSummary(told);
  expect(summary.split('\n')[2]).toBe(`Why: not known in tg128; in tg128 ${words}.`);
  expect(summary).toContain('| +1.63 % to +82.0 % | inconclusive (in doubt) |');
  expect(summary).toContain('| -0.50 % to +2.00 % | pass |');
  const again = { ...pair(1.2, 0.99, 1.015), isMedianOutside: true } as const;
  expect(formatJunit(gate('pass', [{ ...fast, again }]))).toContain(
    `pp512: fit: -1.00 % to +1.50 % where ±3 % is allowed; ${words} (median +20.00 %).`,
  );
});

test('tests in which batches that differ come to the same are named', () => {
  expect(
    formatGate(gate('pass', [{ ...fast, isSame: true }, slow]), { colour: false, width: 400 }),
  ).toContain(
    '\nBase and candidate are the same in pp512, since llama.cpp lowers a batch to the context, which is as long as the test.\n',
  );
});

test('an unfit machine gives no test a verdict, and says why', () => {
  const wide = { ...slow, fitness: 'not-shown', again: pair(1, 0.9, 1.1) } as const;
  const unfit = gate('unfit', [fast, wide]);
  const rows = formatGateSummary(unfit)
    .split('\n')
    .filter((line) => /^\| (pp|tg)/.test(line));
  expect(rows).toEqual([
    '| pp512 | 100.00 ms | 101.00 ms | +1.00 % | -0.50 % to +2.00 % | – | -1.00 % to +1.50 % | fit |',
    '| tg128 | 100.00 ms | 125.00 ms | +25.00 % | +20.0 % to +30.0 % | – | -10.0 % to +10.0 % | not shown to be fit |',
  ]);
  const text = formatGate(unfit, { colour: false, width: 400 });
  expect(text).toContain('Verdict –: the machine is unfit, so that no test is judged.');
  expect(text).not.toContain('not-shown');
  expect(formatGateSummary(unfit)).toContain('Verdict –: the machine is unfit');
  expect(formatGate(gate('pass', [fast]), { colour: false, width: 400 })).not.toContain(
    'Verdict –',
  );
});

test('a reason that begins with the name of a file leaves the name as it is', () => {
  const nothing: Gate = {
    ...gate('broken', [fast]),
    measured: null,
    reason: 'nosuch.gguf is not there',
  };
  expect(formatGateSummary(nothing)).toContain('Why: nosuch.gguf is not there.');
});

test('words from outside cannot leave their place in the summary', () => {
  expect(escapeMarkdown('a|b `c` [d](e) <f>\n# g & _h_*')).toBe(
    'a\\|b \\`c\\` \\[d\\](e) &lt;f&gt; \\# g &amp; \\_h\\_\\*',
  );
  const hostile = gate('regression', [slow]);
  hostile.measured!.candidate.label = '</details><script>|x|';
  const summary = formatGateSummary(hostile);
  expect(summary).not.toContain('<script>');
  expect(summary.match(/<\/details>/g)).toHaveLength(1);
});

test('others at work, time that was up and equal sides stand right below the verdict', () => {
  const text = formatGate(
    gate('pass', [fast], {
      isCutShort: true,
      different: [],
      disturbance: {
        campaign: 'gate-small',
        otherUse: { seen: 3, notSeen: 9, notVisible: 0 },
        drift: [{ phase: 'decode', state: 'marked', change: 0.07, threshold: 0.05 }],
        twoSpeed: [],
        environment: [],
      },
    }),
    { colour: false, width: 400 },
  );
  expect(text.split('\n').slice(1, 5)).toEqual([
    'DISTURBED: others were seen at work on the device in 3 of 12 trials; nothing was removed for it.',
    'DRIFT, MARKED FOR REVIEW: decode of base took 7.00 % more time in the last rounds than in the first (more than 5 %).',
    'The time was up after 12 of 40 rounds; the intervals hold all the same.',
    'Base and candidate are the same: libraries, model and options.',
  ]);
});

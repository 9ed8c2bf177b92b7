import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { TableAnalysis } from '../../src/formats/analysis.ts';
import { formatTable } from '../../src/report/format-table.ts';
import { listMissing } from '../../src/report/item-row.ts';
import { formatPercent } from '../../src/report/quantities.ts';
import { formatCount } from '../../src/units.ts';
import { buildPlan, buildProtocol } from '../support/ledger-builder.ts';
import { analyzeWorked, observeAll, workedTimes } from '../support/worked-campaign.ts';

const plain = { colour: false, width: 120 };

function section(table: string, from: string, lines: number): string[] {
  const all = table.split('\n');
  const start = all.findIndex((line) => line.startsWith(from));
  return all.slice(start, start + lines);
}

test('the first lines answer: how much was measured, and can the target be explored', async () => {
  const lines = formatTable(await analyzeWorked(), plain).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'test-campaign: 40 of 40 trials observed, 0 failed; 3 of 4 items carry the stable flag',
    'Can a difference of 10 % be explored here? Yes, in all 4 items.',
    'Explored means: the medians are known closely enough to look for such a difference.',
    'The target was declared in the plan, before the first trial.',
  ]);
});

test('the table of the worked campaign, phase by phase', async () => {
  const table = formatTable(await analyzeWorked(), plain);
  expect(section(table, 'decode:', 8)).toEqual([
    'decode: time of 64 single-token steps after S tokens',
    'condition             n       time  tokens/s          interval  covers  ±interval  explorable',
    'small F16 S128       10  16.305 ms     3,925  16.270–16.340 ms  97.9 %     0.21 %         yes',
    'mid Q8_0 S512 [ref]  10  14.825 ms     4,317  14.790–14.860 ms  97.9 %     0.24 %         yes',
    '',
    'condition                CV  in-trial   range  stable  max/med  slow  slow ≤  speeds',
    'small F16 S128       0.19 %    0.01 %  0.55 %     yes    1.003     0  30.8 %     one',
    'mid Q8_0 S512 [ref]  4.46 %    0.01 %  14.6 %      no    1.143     1  44.5 %     one',
  ]);
});

test('what the answer rests on: the slow trial widens the simultaneous interval alone', async () => {
  const table = formatTable(await analyzeWorked(), plain);
  expect(section(table, 'decode item', 3)).toEqual([
    'decode item          explorable  ±interval  limit  trials needed  target from  upper/lower  detected at 10 %  at 0 %',
    'small F16 S128              yes     0.21 %    5 %              6       0.43 %        1.006             100 %   0.1 %',
    'mid Q8_0 S512 [ref]         yes     0.24 %    5 %              9       0.48 %        1.146            73.6 %   0.1 %',
  ]);
});

test('a target that is too small: what it would take, and that it was asked afterwards', async () => {
  const { closure, ...analysis } = await analyzeWorked();
  const table = formatTable(
    {
      ...analysis,
      closure: {
        ...closure,
        targetDifference: 0.004,
        targetSource: 'command-line',
        family: {
          ...closure.family,
          state: 'not-explorable',
          explorable: 0,
          smallestTarget: 0.0047218,
          trialsNeeded: 25,
        },
      },
    },
    { colour: false, width: 400 },
  );
  // 10 rounds took 13 x 10 x (3 x 16.305 + 15.032) ms = 8.313 s, so 25 take 20.8 s
  expect(table.split('\n').slice(1, 5)).toEqual([
    'Can a difference of 0.4 % be explored here? No: in none of 4 items.',
    'Explored means: the medians are known closely enough to look for such a difference.',
    'It would take about 25 trials of each item, as many as the worst needs, about 20.8 s of hardware time for all, if further ones scatter like these (redraws of these trials reach it in about half to nine tenths, in fewer where they fall into groups). This data serves targets from 0.48 % on in all items.',
    'ASKED AFTERWARDS: this target was chosen when the data was there; declared before the first trial was 10 %.',
  ]);
  expect(table).not.toContain('Another difference?');
});

test('the brief form ends with the answer, and says what the full one has', async () => {
  const analysis = await analyzeWorked();
  const brief = formatTable(analysis, { ...plain, brief: true });
  const [answer, rest] = brief.split('\nWithout --brief: ');
  expect(formatTable(analysis, plain).startsWith(answer!)).toBe(true);
  expect(rest).toMatch(/^item by item the trials needed and the smallest target/);
  expect(brief).toContain('mid Q8_0 S512 [ref]  10  14.825 ms');
  expect(brief.match(/\n(\S.*)(?=\n {2}Yes, for all 4 items\.)/)?.[1]).toBe(
    'Can a difference of 10 % be explored here?',
  );
  expect(brief).not.toContain('What this does not show');
});

test('subsets, order, trends and two speeds stand in words', async () => {
  const table = formatTable(await analyzeWorked(), plain).replace(/\s+/g, ' ');
  expect(table).toContain('In all 120 subsets of 3 of the 10 rounds, 3 to 4 of 4 items carry');
  expect(table).toContain('3.70 in the mean');
  expect(table).toContain('3 ▄█ 4 items (tallest: 84 subsets at 4)');
  expect(table).toContain('Holm’s correction over the family of 4 items');
  expect(table).toContain('No item’s trials fall into two groups (4 items looked at).');
  expect(table).toContain('decode: the later half of the trials was slower in');
});

test('advice on repetitions names the items where it saves time, and why others have none', async () => {
  const analysis = await analyzeWorked();
  const shares = [1, 0.61, null, 1];
  const allocation = analysis.allocation.map((one, index) => {
    const costShare = shares[index] ?? null;
    return costShare === null
      ? { ...one, advice: null, reason: 'n = 1: two processes are needed' }
      : { ...one, advice: { repetitions: 4, processes: 12, costShare }, reason: null };
  });
  const table = formatTable({ ...analysis, allocation }, plain);
  expect(section(table, 'Repetitions and processes', 6).slice(3)).toEqual([
    '  Without advice, 1 item: n = 1: two processes are needed.',
    'item                   kept repetitions  processes  of the time now  one repetition  one process',
    'mid Q8_0 S512 prefill                 4         12             61 %       16.305 ms    179.36 ms',
  ]);
});

test('a table of trials says that no ledger vouches for it, and what it cannot say', async () => {
  const { identity, cost, failures, notes, sessions, boots, otherUse, startedAt, ...rest } =
    await analyzeWorked();
  const table: TableAnalysis = {
    ...rest,
    evidence: 'trial-table',
    protocolName: 'v1\u001b[2J',
    device: 'gpu0',
    declaration: null,
    protocol: null,
    rules: { ...rest.rules, source: 'v1-defaults' },
    closure: { ...rest.closure, targetSource: 'default' },
    warmup: [],
    allocation: [],
    absent: [{ field: 'cost', reason: 'stands in the ledger only' }],
  };
  const text = formatTable(table, plain);
  expect(text).toContain('\nFrom a table of trials: NO LEDGER vouches for these numbers.\n');
  expect(text).toContain(
    'Protocol v1\u{fffd}[2J on device gpu0, as the table names them. No protocol',
  );
  expect(text).toContain('Nobody declared a target; this is the usual one.');
  expect(text).toContain(
    'What a table of trials cannot say\n  - cost: stands in the ledger only\n',
  );
  expect(text).toContain('Not evaluable: there are no single repetitions here.');
  expect(text).toContain('decode: time of the single-token steps after S tokens');
  for (const words of ['Hardware time:', 'Baseline', 'hardware time for all']) {
    expect(text).not.toContain(words);
  }
  expect(formatTable(table, { ...plain, colour: true })).toContain('NO LEDGER');
});

test('drift and cost stand below it', async () => {
  const table = formatTable(await analyzeWorked(), plain);
  expect(section(table, 'Drift of the reference', 3)).toEqual([
    'Drift of the reference',
    '  prefill: 16.310 to 16.300 ms, -0.06 % (medians of the first and last 5 of 10 rounds); not more than 5 %',
    '  decode: 14.820 to 14.840 ms, +0.13 % (medians of the first and last 5 of 10 rounds); not more than 5 %',
  ]);
  const cost = section(table, 'Hardware time', 4);
  expect(cost[0]).toBe('Hardware time: 8.3 s');
  expect(cost.join('\n')).toMatch(/warm-up repetitions +7\.0 s +84\.6 %/);
  expect(table).toContain('preparing the warm-up ones (clearing');
  expect(table).toContain('preparing the kept ones (clearing');
  expect(table.replace(/\s+/g, ' ')).toContain('Not in it: building models and runner, pauses');
});

test('it says what it is not', async () => {
  const table = formatTable(await analyzeWorked(), plain).replace(/\s+/g, ' ');
  expect(table).toContain('Not v1: "test-1" rules on backend embedded');
  expect(table).toContain('log output cost is included');
  expect(table).toContain('Protocol test-1 is not v1.');
  expect(table).toContain('The stable flag is no test of equivalence.');
  expect(table).toContain('was not validated');
  const v1 = await analyzeWorked(
    observeAll,
    buildPlan({ protocol: buildProtocol({ name: 'v1' }) }),
  );
  expect(formatTable(v1, plain)).toContain('\nv1 rules on backend embedded');
});

test.each([80, 100, 120, 160])('no line of it is wider than %d columns', async (width) => {
  const lines = formatTable(await analyzeWorked(), { colour: false, width }).split('\n');
  expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(width);
});

test('at 80 columns the table stands in three pieces and loses nothing', async () => {
  const table = formatTable(await analyzeWorked(), { colour: false, width: 80 });
  expect(table.match(/^condition/gm)).toHaveLength(6);
  for (const cell of ['14.790–14.860 ms', '±interval', '4.46 %', '1.143', 'speeds'])
    expect(table).toContain(cell);
});

test('failures, notes and what is missing are told', async () => {
  const analysis = await analyzeWorked((ledger) => {
    ledger.fail(0, { message: 'ended by SIGSEGV' });
    ledger.add({ type: 'note', text: 'the fan\u001b[2J stopped' });
  });
  const table = formatTable(analysis, plain);
  expect(table).toContain(' 0+1f ');
  expect(table).toMatch(/trial 0, .*: signal: ended by SIGSEGV/);
  expect(table).toContain('after 1 trial: the fan\u{fffd}[2J stopped');
  expect(table).toContain('–');
  expect(table).toContain('not evaluable: the reference has 0 valid rounds; 10 are needed');
});

test('colour appears only when it is asked for', async () => {
  const analysis = await analyzeWorked();
  const uncoloured = formatTable(analysis, plain);
  const coloured = formatTable(analysis, { colour: true, width: 120 });
  expect(coloured).not.toBe(uncoloured);
  expect(stripVTControlCharacters(coloured)).toBe(uncoloured);
  expect(stripVTControlCharacters(uncoloured)).toBe(uncoloured);
});

test('a marked drift stands at the top with what it does to the projection, in the brief form too', async () => {
  const analysis = await analyzeWorked((ledger) => {
    for (const scheduled of ledger.schedule) {
      const times = workedTimes(scheduled);
      const isLate = scheduled.round >= 5 && scheduled.item.phase === 'prefill';
      ledger.observe(scheduled.trial, isLate ? times.map((ns) => 2 * ns) : times);
    }
  });
  const disturbed = { ...analysis, otherUse: { seen: 3, notSeen: 37, notVisible: 0 } };
  for (const brief of [true, false]) {
    const lines = formatTable(disturbed, { colour: false, width: 400, brief }).split('\n');
    expect(lines[0]).toMatch(
      /^DISTURBED: others were seen at work on the device in 3 of 40 trials/,
    );
    expect(lines[1]).toBe(
      'DRIFT, MARKED FOR REVIEW: from its first rounds to its last the reference changed by +99.9 % in prefill (more than 5 %). The projection of trials needed does not hold under drift.',
    );
    expect(lines[2]).toMatch(/^test-campaign: 40 of 40 trials/);
    const head = lines.slice(0, lines.indexOf('')).join('\n');
    expect(head).toContain(
      'How many trials it would take cannot be projected while the reference drifts.',
    );
    expect(head).not.toContain('It would take about');
    expect(head).toContain(
      '\nAnother difference? --target-difference 0.05 asks about 5 %.\nQuestion:',
    );
  }
});

test('a reason that differs in the number of trials only stands there once', async () => {
  const analysis = await analyzeWorked();
  const items = analysis.items.map((item, index) => ({
    ...item,
    missing: [
      { field: 'simultaneousInterval', reason: `n = ${index % 2 === 0 ? 9 : 8}: 10 are needed` },
    ],
  }));
  expect(listMissing(items)).toEqual(['n = 8 or 9: 10 are needed']);
});

test('numbers of a thousand and more have their commas', () => {
  expect([formatPercent(11.382), formatPercent(0.999), formatCount(5225, 'timing')]).toEqual([
    '1,138.2 %',
    '99.9 %',
    '5,225 timings',
  ]);
});

test('a campaign that others disturbed says so before its numbers', async () => {
  const analysis = await analyzeWorked();
  const shown = (seen: number) =>
    formatTable(
      { ...analysis, otherUse: { seen, notSeen: 40 - seen, notVisible: 0 } },
      { colour: false, width: 120 },
    );
  const words = 'DISTURBED: others were seen at work on the device in 3 of 40 trials;';
  expect(shown(3).indexOf(words)).toBe(0);
  expect(shown(3).indexOf(words)).toBeLessThan(shown(3).indexOf('prefill:'));
  expect(shown(0)).not.toContain('DISTURBED');
});

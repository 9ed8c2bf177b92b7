import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import { replayCampaign } from '../../src/analysis/replay.ts';
import type { Stopping } from '../../src/formats/protocol.ts';
import type { Trial } from '../../src/formats/trial.ts';
import { formatReplay } from '../../src/report/format-replay.ts';
import { formatTable } from '../../src/report/format-table.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { buildPlan, buildProtocol } from '../support/ledger-builder.ts';
import { chainCampaign, measureWith } from '../support/sequential-campaign.ts';
import { stoppingRule } from '../support/sequential-plan.ts';
import { analyzeWorked } from '../support/worked-campaign.ts';

const plain = { colour: false, width: 120 };

/** µs by round: A of the reference in decode, B of everything else. */
const timesA = [14820, 14790, 14850, 14800, 14830, 14780, 14840, 14810, 16940, 14860];
const timesB = [16290, 16330, 16270, 16310, 16350, 16260, 16300, 16340, 16280, 16320];
const worked = ({ sequenceLength, phase }: Trial, call: number) => {
  const isA = sequenceLength === 512 && phase === 'decode';
  return (isA ? timesA : timesB)[Math.floor(call / 4)]! * 1000;
};

async function record(rule: Partial<Stopping>, nsOf: Parameters<typeof measureWith>[1] = worked) {
  const stopping = { ...stoppingRule, ...rule };
  const plan = buildPlan({ protocol: buildProtocol({ stopping }) });
  return collectCampaign(chainCampaign(plan, await measureWith(plan, nsOf)));
}
const analyze = async (...of: Parameters<typeof record>) =>
  analyzeCampaign(await record(...of), new Map());

function section(table: string, from: string, lines: number): string[] {
  const all = table.split('\n');
  const start = all.findIndex((line) => line.startsWith(from));
  return all.slice(start, start + lines);
}

test('the table of a stopped campaign has each comparison with its state and both times', async () => {
  const table = formatTable(await analyze({ method: 'S1', equivalence: 0.02 }), plain);
  expect(section(table, 'Decided on the way', 7)).toEqual([
    'Decided on the way',
    '  Stopped after 6 of at most 10 rounds: every comparison is decided (1 slower, 1 equivalent).',
    '  S1, at most 10 rounds; alpha 0.1 shared by 2 comparisons (Bonferroni: 0.05 each); slower or faster when clear of 1 ±',
    '    0.5 %, equivalent when within 1 ± 2 %. Nothing can be decided before round 6.',
    'b / a                                        state  decided          b          a  interval so far',
    'small F16 S128 prefill / mid Q8_0 S512  equivalent        6  16.300 ms  16.300 ms    1.0000–1.0000',
    'small F16 S128 decode / mid Q8_0 S512       slower        6  16.300 ms  14.810 ms    1.0956–1.1041',
  ]);
  expect(section(table, 'b / a                                   after this round', 3)).toEqual([
    'b / a                                   after this round  pairs  e-value',
    'small F16 S128 prefill / mid Q8_0 S512     1.0000–1.0000      6    0.195',
    'small F16 S128 decode / mid Q8_0 S512      1.0956–1.1041      6     20.1',
  ]);
  expect(table).toContain('24 of 24 trials observed');
});

test('what stays open is said to be no verdict, and why an interval is missing', async () => {
  const failing = await analyze({}, (trial, call) =>
    trial.sequenceLength === 128 && trial.phase === 'decode' ? null : worked(trial, call),
  );
  const table = formatTable(failing, plain).replace(/\s+/g, ' ');
  expect(table).toContain('All 10 rounds were measured: 0 of 2 comparisons decided (2 open).');
  expect(table).toContain('–: 0 pairs of valid trials; an interval needs 6.');
  expect(table).toContain('Open is no verdict');
  expect(table).toContain('Rounds in which one of the two failed give no pair.');
  expect(table).toContain(
    'any comparison here is wrongly decided with a probability of at most 10 %',
  );
});

test('a rule without correction says what that means', async () => {
  const table = formatTable(await analyze({ correction: 'none' }), plain).replace(/\s+/g, ' ');
  expect(table).toContain('alpha 0.1 for each of 2 comparisons, without correction');
  expect(table).toContain('one comparison is wrongly decided with a probability of at most 10 %');
  expect(table).toContain('There is no correction: with 2 comparisons');
});

test('the page has the same, in a section of its own', async () => {
  const { document } = parseHTML(renderReport(await analyze({ method: 'S1', equivalence: 0.02 })));
  const heading = [...document.querySelectorAll('h2')].find(
    ({ textContent }) => textContent === 'What was decided on the way',
  )!;
  const rows = [...heading.parentElement!.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  expect(rows[1]).toEqual([
    'small F16 S128 decode / mid Q8_0 S512',
    'slower',
    '6',
    '16.300 ms',
    '14.810 ms',
    '1.0956–1.1041',
    '1.0956–1.1041',
    '6',
    '20.1',
  ]);
  expect(heading.parentElement!.textContent).toContain('Stopped after 6 of at most 10 rounds');
});

test('a replay says first that it guarantees nothing, then what would have been saved', async () => {
  // ten rounds, since nothing is equivalent here; asked afterwards whether something is
  const stopping = { ...stoppingRule, equivalence: 0.02 };
  const replay = replayCampaign(
    await record({}),
    buildProtocol({ name: 'later', stopping }),
    new Map(),
  );
  const lines = formatReplay(replay, plain).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'test-campaign (measured under test-1) through the stopping rule of later',
    'A replay of recorded data; no error guarantee is claimed if the rule was chosen after looking.',
    '',
  ]);
  const text = lines.join(' ').replace(/\s+/g, ' ');
  expect(text).toContain(
    'It would have ended after round 6, with every comparison decided (1 slower, 1 equivalent): 16 trials and 1.6 s less (40 % of the hardware time). Recorded: 10 rounds, 40 trials, 4.0 s of hardware time.',
  );
  expect(text).toContain('- in round 6: 2 comparisons decided (1 slower, 1 equivalent)');
  expect(text).toContain('small F16 S128 decode / mid Q8_0 S512 slower 6 16.300 ms');
});

test('a campaign with fixed rounds has no such block', async () => {
  expect(formatTable(await analyzeWorked(), plain)).not.toContain('Decided on the way');
  expect(renderReport(await analyzeWorked())).not.toContain('What was decided on the way');
});

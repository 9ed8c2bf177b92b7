import { expect, test } from 'vitest';
import { analyzeCampaign } from '../../src/analysis/analyze.ts';
import { analyzeTable } from '../../src/analysis/analyze-table.ts';
import { collectCampaign } from '../../src/analysis/collect.ts';
import { compareItems } from '../../src/analysis/compare-items.ts';
import { countDueTrials } from '../../src/analysis/count-due-trials.ts';
import { judgeTrial } from '../../src/analysis/judge-trial.ts';
import { measureCampaign } from '../../src/analysis/measure-campaign.ts';
import { replayCampaign } from '../../src/analysis/replay.ts';
import { advanceState, emptyState } from '../../src/campaign/resume.ts';
import { analysisSchema, type SampleAnalysis } from '../../src/formats/analysis.ts';
import { comparisonSchema } from '../../src/formats/comparison.ts';
import type { UnchainedEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { replaySchema } from '../../src/formats/sequential.ts';
import type { Trial } from '../../src/formats/trial.ts';
import { formatComparison } from '../../src/report/format-comparison.ts';
import { describeEnd, formatReplay } from '../../src/report/format-replay.ts';
import { formatTable } from '../../src/report/format-table.ts';
import { buildPlan, buildProtocol } from '../support/ledger-builder.ts';
import { writeLedger } from '../support/ledger-folder.ts';
import { workIn } from '../support/rooflaw.ts';
import { chainCampaign, measureWith } from '../support/sequential-campaign.ts';
import { stoppingRule } from '../support/sequential-plan.ts';
import { benchPlan, variant } from '../support/variant-plan.ts';
import { buildMeasurements } from './build-measurements.ts';

const wide = { colour: false, width: 2000 };
const full = buildProtocol({ stopping: stoppingRule });
const open = buildProtocol({ stopping: { ...stoppingRule, measured: 'open' } });
const fixed = buildProtocol();

/** small F16 S128 against the reference: 1.2 in prefill, 1.2 and 1 / 1.2 by turns in decode. */
function worked(): (trial: Trial) => number {
  const calls = new Map<boolean, number>();
  return ({ sequenceLength, phase }) => {
    const isReference = sequenceLength === 512;
    if (phase === 'prefill') return isReference ? 1_000_000 : 1_200_000;
    const call = (calls.get(isReference) ?? 0) + 1;
    calls.set(isReference, call);
    return isReference === (call % 2 === 0) ? 1_000_000 : 1_200_000;
  };
}

async function measure(protocol: Plan['protocol']) {
  const plan = buildPlan({ protocol });
  const entries = await measureWith(plan, worked());
  const recordOf = (some: readonly UnchainedEntry[]) => collectCampaign(chainCampaign(plan, some));
  return { plan, entries, record: recordOf(entries), recordOf };
}

/** 32 trials: prefill is decided after round 6 of 10 and left out, decode stays open. */
const leaving = await measure(open);
/** 40 trials: what the same rule would have left out is there as well. */
const whole = await measure(full);

function analyze({ record }: Pick<typeof leaving, 'record'>) {
  const analysis = analyzeCampaign(record, new Map());
  expect(analysisSchema.parse(JSON.parse(JSON.stringify(analysis)))).toEqual(analysis);
  return analysis;
}

function tableOf({ record, plan }: typeof leaving, hasPlan = true): SampleAnalysis {
  const judged = record.trials.map((trial) => judgeTrial(trial, plan.protocol.repetitions));
  const table = analyzeTable(measureCampaign(record, judged, null), {
    ...{ protocolName: 'test-1', device: 'CPU', protocol: plan.protocol },
    plan: hasPlan ? plan : null,
  });
  expect(analysisSchema.parse(JSON.parse(JSON.stringify(table)))).toEqual(table);
  return table;
}

function compare(analysis: SampleAnalysis, phase = '') {
  const question = { a: `architecture=mid${phase}`, b: `architecture=small${phase}` };
  const selectors = {
    a: `${question.a},quantization=Q8_0,sequenceLength=512`,
    b: `${question.b},quantization=F16,sequenceLength=128`,
  };
  const comparison = compareItems(analysis, { ...selectors, margin: 0.005, equivalence: null });
  expect(comparisonSchema.parse(JSON.parse(JSON.stringify(comparison)))).toEqual(comparison);
  return comparison;
}

const why =
  'the campaign leaves out what its own data have decided (S2), and measured these two together in 6 of at most 10 rounds; this test is for a number of rounds that is fixed before';

test.each([
  ['a campaign', analyze(leaving)],
  ['a public table', tableOf(leaving)],
  ['a public table without its plan', tableOf(leaving, false)],
])(
  'of %s a pair that the rule has left out gets no verdict, and the open one has its own',
  (_what, analysis) => {
    const { pairs, doesNotShow } = compare(analysis);
    expect(pairs).toMatchObject([
      { pairs: 6, rounds: 10, lackingA: 0, lackingB: 0, leftOut: 4, verdict: 'inconclusive' },
      { pairs: 10, rounds: 10, lackingA: 0, lackingB: 0 },
    ]);
    expect(pairs[0]!.missing).toContainEqual({ field: 'verdict', reason: why });
    expect(pairs[1]).not.toHaveProperty('leftOut');
    expect(pairs[1]!.missing.map(({ field }) => field)).not.toContain('verdict');
    const said = doesNotShow.join('\n');
    expect(said).not.toContain('failing and being slow');
    expect(said).toContain(
      'In 1 of 2 comparisons later rounds were left out, since the campaign’s rule had decided: nothing failed in them.',
    );
  },
);

test('rounds left out are said to be left out, and no verdict is counted twice', () => {
  const one = formatComparison(compare(analyze(leaving), ',phase=prefill'), wide);
  expect(one).toContain(`The verdict is withheld: ${why}.`);
  expect(one).toContain('Of 10 rounds, 4 were left out, since decided.');
  expect(one).toContain('Later rounds were left out');
  expect(one).not.toContain('lack a valid trial');
  const both = formatComparison(compare(analyze(leaving)), wide);
  expect(both).toContain(
    'B is slower in 0 of 1 comparison, faster in 0; 1 inconclusive. 1 verdict withheld: ',
  );
  const table = formatTable(analyze(leaving), wide);
  expect(table).toContain('left out of the rounds after that');
  expect(table).not.toContain('Rounds in which one of the two failed');
});

test('a failed trial of a pair that goes on is no round that was left out', async () => {
  const plan = buildPlan({ protocol: open });
  const timeOf = worked();
  let decodes = 0;
  const entries = await measureWith(plan, (trial) => {
    const ns = timeOf(trial);
    return trial.phase === 'decode' && trial.sequenceLength !== 512 && ++decodes === 8 ? null : ns;
  });
  const record = collectCampaign(chainCampaign(plan, entries));
  const { pairs, doesNotShow } = compare(analyze({ record }));
  expect(pairs).toMatchObject([
    { lackingA: 0, lackingB: 0, leftOut: 4 },
    { pairs: 9, lackingA: 0, lackingB: 1 },
  ]);
  expect(doesNotShow.join('\n')).toContain('In 1 of 2 comparisons rounds without a valid trial');
});

function replay({ record }: typeof leaving, protocol: Plan['protocol']) {
  const replayed = replayCampaign(record, { ...protocol, name: 'other' }, new Map());
  expect(replaySchema.parse(JSON.parse(JSON.stringify(replayed)))).toEqual(replayed);
  return replayed;
}

test('a rule that leaves out is followed through a full recording, and what it leaves out is saved', () => {
  const replayed = replay(whole, open);
  expect(replayed.recorded).toMatchObject({ rounds: 10, trials: 40 });
  expect(replayed.sequential).toMatchObject({ rounds: 10, stopped: false, decided: 1 });
  expect(replayed.sequential.comparisons).toMatchObject([
    { pairs: 6, decidedAfter: 6 },
    { pairs: 10, decidedAfter: null },
  ]);
  expect(replayed.end).toMatchObject({ because: 'maximum', afterRounds: 10, trialsLess: 8 });
  expect(replayed.end!.hardwareNsLess).toBeGreaterThan(0);
});

test('a recording that left out has all its rounds, and saves nothing under its own rule', () => {
  const replayed = replay(leaving, open);
  expect(replayed.recorded).toMatchObject({ rounds: 10, trials: 32 });
  expect(replayed.end).toMatchObject({ because: 'maximum', afterRounds: 10, trialsLess: 0 });
  expect(replayed).not.toHaveProperty('lacking');
});

test('a rule that asks for what the recording left out says where it could not be followed', () => {
  const replayed = replay(leaving, full);
  expect(replayed.recorded).toMatchObject({ rounds: 10, trials: 32 });
  expect(replayed.sequential).toMatchObject({ rounds: 6, decided: 1 });
  expect(replayed).toMatchObject({ end: null, lacking: { round: 7, items: [0, 1] } });
  expect(describeEnd(replayed)).toMatch(
    /^Where it would have ended is not known: from round 7 on the recording left out small F16 S128 prefill and 1 other item, since decided under its own rule, and this one would have gone on measuring\. Until then 1 of 2 comparisons decided/,
  );
  expect(formatReplay(replayed, wide)).toContain('from round 7 on the recording left out');
});

test('trials beyond what a rule asks for are not what its campaign planned', () => {
  const judged = whole.record.trials.map((trial) => judgeTrial(trial, open.repetitions));
  const campaign = { ...whole.record.campaign, plan: leaving.plan };
  const { planned } = measureCampaign({ ...whole.record, campaign }, judged, null);
  expect(planned).toBe(24 + 4 * 2); // though 40 are there
});

test('of a campaign under way only what is due counts as planned', () => {
  const plannedAfter = (plan: Plan, entries: readonly UnchainedEntry[], decisions: number) => {
    const state = emptyState();
    let seen = 0;
    for (const entry of chainCampaign(plan, entries)) {
      if (seen === decisions && entry.type === 'decision') break;
      advanceState(state, entry);
      if (entry.type === 'decision') seen += 1;
    }
    return [state.finished.size, countDueTrials(plan, state)];
  };
  expect(plannedAfter(leaving.plan, leaving.entries, 0)).toEqual([4, 40]);
  expect(plannedAfter(leaving.plan, leaving.entries, 5)).toEqual([24, 40]);
  expect(plannedAfter(leaving.plan, leaving.entries, 6)).toEqual([26, 32]);
  expect(plannedAfter(leaving.plan, leaving.entries, 10)).toEqual([32, 32]);
  expect(plannedAfter(whole.plan, whole.entries, 6)).toEqual([28, 40]);
});

test('verify and status of a campaign under way count what is due', async () => {
  const decisions = leaving.entries.flatMap(({ type }, at) => (type === 'decision' ? [at] : []));
  const begun = leaving.entries.slice(0, decisions[6]! + 1); // seven rounds, in the last of them two
  const folder = writeLedger(chainCampaign(leaving.plan, begun));
  const { run } = workIn();
  const verified = await run(['verify', folder, '--json']);
  expect(JSON.parse(verified.stdout)).toMatchObject({
    sound: true,
    complete: false,
    trials: { concluded: 26, planned: 32 },
  });
  const { stdout } = await run(['status', folder]);
  expect(stdout).toContain('26 of at most 32 trials, round 7 of at most 10');
});

test.each([
  ['generated', buildPlan(), true],
  ['files', benchPlan([variant('t1'), variant('t2', { threads: 1, threadsBatch: 1 })]), false],
])(
  'a comparison on a public table says whether weights are random: %s',
  (_what, plan, isRandom) => {
    const [small, mid] = [{ times: [100, 101] }, { times: [100, 102] }];
    const facts = { protocolName: 'test-1', device: 'CPU', protocol: null };
    const table = analyzeTable(buildMeasurements([small, mid]), { ...facts, plan });
    expect(table.weights).toBe(isRandom ? 'random' : 'files');
    const question = { a: 'architecture=item-0', b: 'architecture=item-1' };
    const { doesNotShow } = compareItems(table, { ...question, margin: 0.005, equivalence: null });
    expect(doesNotShow.at(-1)).toBe(
      `It holds for this device, backend and these hours${isRandom ? ', and for random weights' : ''}. It names no cause.`,
    );
  },
);

test('where what is looked at for drift was left out, it is said', () => {
  for (const analysis of [analyze(leaving), tableOf(leaving)]) {
    expect(analysis.drift).toMatchObject([
      { phase: 'prefill', rounds: 6, leftOutAfter: 6 },
      { phase: 'decode', rounds: 10 },
    ]);
    expect(analysis.drift[1]).not.toHaveProperty('leftOutAfter');
    expect(analysis.caveats).toContain(
      'The stopping rule left out what is looked at for drift, since all its comparisons were decided: mid Q8_0 S512 prefill after round 6. A drift in later rounds of that phase stays unseen.',
    );
    expect(compare(analysis).disturbances[0]!.drift).toMatchObject([{ leftOutAfter: 6 }, {}]);
    expect(formatTable(analysis, wide)).toContain(
      '; left out after round 6, since decided, so that a later drift is not seen',
    );
  }
  expect(JSON.stringify(analyze(whole))).not.toContain('leftOutAfter');
});

test('fixed rounds leave nothing out', async () => {
  const plan = buildPlan({ protocol: fixed });
  const record = collectCampaign(chainCampaign(plan, await measureWith(plan, worked())));
  for (const pair of compare(analyze({ record })).pairs) {
    expect(pair).not.toHaveProperty('leftOut');
    expect(pair.missing.map(({ field }) => field)).not.toContain('verdict');
  }
});

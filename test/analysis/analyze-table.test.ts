import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzeTable } from '../../src/analysis/analyze-table.ts';
import { tableAnalysisSchema } from '../../src/formats/analysis.ts';
import type { Protocol } from '../../src/formats/protocol.ts';
import { sequentialProtocol } from '../support/sequential-plan.ts';
import { smallProtocol } from '../support/small-plan.ts';
import { buildMeasurements, declaration } from './build-measurements.ts';

const facts = { protocolName: 'v1', device: 'NVIDIA H200', protocol: null, plan: null };

test('a table without ledger says what is missing, and that nobody vouches for it', () => {
  const analysis = analyzeTable(
    buildMeasurements([{ times: [100, 101, 102, null] }], {
      declaration: null,
      rules: {
        source: 'v1-defaults',
        stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
        drift: { minRounds: 10, edgeRounds: 5, above: 0.05 },
      },
    }),
    { ...facts, absent: [{ field: 'protocol', reason: 'protocol.json is not there' }] },
  );
  expect(tableAnalysisSchema.parse(JSON.parse(JSON.stringify(analysis)))).toEqual(analysis);
  expect(analysis).toMatchObject({
    evidence: 'trial-table',
    protocolName: 'v1',
    device: 'NVIDIA H200',
    declaration: null,
    protocol: null,
    progress: { planned: 4, observed: 3, failed: 1, complete: true },
  });
  expect(analysis.absent.map(({ field }) => field)).toEqual([
    'cost',
    'identity',
    'failures',
    'warmup',
    'allocation',
    'sequential',
    'protocol',
  ]);
  expect(analysis.drift.map((phase) => phase.state === 'not-evaluable' && phase.reason)).toEqual([
    'no item of this phase is marked as the reference',
    'no item of this phase is marked as the reference',
  ]);
  const said = analysis.caveats.join('\n');
  expect(analysis.caveats[0]).toMatch(/^No ledger vouches for this table/);
  expect(said).toContain('1 trial failed and has no time');
  expect(said).toContain('No protocol came with the data: these limits are v1’s.');
  expect(said).toContain('It holds for NVIDIA H200 under the rules that the table calls v1.');
});

test('repetitions without the number of kept ones say nothing of warm-up', () => {
  const measurements = buildMeasurements([{ times: [1, 2, 3] }], { repetitions: null });
  for (const trial of measurements.trials) trial.wallNs = [9, 1];
  const { warmup, absent } = analyzeTable(measurements, facts);
  expect(warmup).toEqual([]);
  expect(absent.map(({ field }) => field)).toContain('warmup');
});

test('a stopping rule is missed only where there is or may have been one', () => {
  const missed = (protocol: Protocol | null) =>
    analyzeTable(buildMeasurements([{ times: [1, 2, 3] }]), { ...facts, protocol }).absent.find(
      ({ field }) => field === 'sequential',
    )?.reason;
  expect(missed(smallProtocol())).toBeUndefined();
  expect(missed(sequentialProtocol())).toBe(
    'the protocol has a stopping rule, but no plan came with the table to say what it compared',
  );
  expect(missed(null)).toMatch(/^neither protocol nor plan came with the table/);
});

test('a table that was published with its declaration keeps it', () => {
  const { closure, declaration: declared } = analyzeTable(
    buildMeasurements([{ times: [1, 2, 3] }]),
    facts,
  );
  expect(closure.targetSource).toBe('plan');
  expect(declared).toEqual(declaration);
});

test('families and corrections are named wherever many are looked at', () => {
  const times = [100, 103, 101, 104, 102, 105, 100, 103, 101, 104];
  const { caveats } = analyzeTable(
    buildMeasurements([
      { times },
      { times },
      { times: times.toReversed() },
      { times, phase: 'prefill' },
      { times, phase: 'prefill' },
    ]),
    facts,
  );
  const said = caveats.join('\n');
  expect(said).toContain('Bonferroni over 5 items');
  expect(said).toContain('adjusted p-value is Holm’s over 5 items');
  expect(said).toContain('They are 2 tests: 5 % over both is 2.5 % each.');
  expect(said).toContain('All 120 subsets of 3 rounds share their samples');
});

test('whatever the times, every null has its reason and no number is not one', () => {
  const time = fc.option(fc.integer({ min: 1, max: 2 ** 40 }), { nil: null, freq: 8 });
  const item = fc.record({
    times: fc.array(time, { maxLength: 12 }),
    phase: fc.constantFrom('prefill' as const, 'decode' as const),
    isReference: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 4 }),
      fc.double({ min: 0.001, max: 0.99, noNaN: true }),
      (given, targetDifference) => {
        const analysis = analyzeTable(buildMeasurements(given, { targetDifference }), facts);
        const read = tableAnalysisSchema.parse(JSON.parse(JSON.stringify(analysis)));
        expect(read).toEqual(analysis); // JSON has neither NaN nor Infinity
        for (const { missing, ...fields } of read.items) {
          const nulls = Object.entries(fields).flatMap(([name, value]) =>
            value === null ? [name] : [],
          );
          const inTail = Object.entries(fields.tail ?? {}).flatMap(([name, value]) =>
            value === null ? [`tail.${name}`] : [],
          );
          expect(missing.map(({ field }) => field)).toEqual([...nulls, ...inTail]);
          expect(missing.every(({ reason }) => reason.length > 5)).toBe(true);
        }
      },
    ),
    { numRuns: 100 },
  );
});

import { expect, test } from 'vitest';
import { noTreatment, type Treatment, type TreatmentReport } from '../../src/formats/treatment.ts';
import { findTreatmentFaults } from '../../src/protocol/treatment-faults.ts';

const measured = { source: 'a clock' };
const report = (readings: TreatmentReport['readings']): { treatment: TreatmentReport } => ({
  treatment: { readings, mperfHertz: null, residentShare: null },
});
const treat = (changes: Partial<Treatment>) => ({ treatment: { ...noTreatment, ...changes } });

test('an untreated trial has nothing of a treatment', () => {
  expect(findTreatmentFaults({}, {}, [{}, {}])).toEqual([]);
  const stray = ['readings that belong to a treatment, where there is none'];
  expect(findTreatmentFaults({}, report({}), [])).toEqual(stray);
  expect(findTreatmentFaults({}, {}, [{}, { counters: {} }])).toEqual(stray);
  expect(findTreatmentFaults({}, {}, [{ activity: { elapsedNs: 1 } }])).toEqual(stray);
});

test('what is said to be measured is there, and nothing that nobody asked for', () => {
  const asked = treat({ readings: ['cpu-time', 'placement'] });
  const said = report({
    'cpu-time': measured,
    placement: measured,
    migrations: { notMeasured: 'no such file' },
  });
  const whole = { mainCpuNs: 1, processCpuNs: 2, startCpu: 0, endCpu: 0 };
  expect(findTreatmentFaults(asked, said, [{ counters: whole }])).toEqual([]);
  expect(
    findTreatmentFaults(asked, said, [
      { counters: { ...whole, minorFaults: 1 } },
      { counters: { mainCpuNs: 1, startCpu: 0, endCpu: 0 } },
    ]),
  ).toEqual([
    'repetition 0 has minorFaults, which nobody asked for',
    'repetition 1 lacks processCpuNs, which is said to be measured',
  ]);
  expect(findTreatmentFaults(asked, report({}), [])).toEqual([
    'speaks of the readings none, asked were cpu-time, migrations, placement',
  ]);
  expect(findTreatmentFaults(asked, {}, [])).toEqual([
    'a treated trial that does not say what was measured',
  ]);
});

test('a frequency may be left out of a repetition, since the thread may have moved', () => {
  const asked = treat({ readings: ['frequency'] });
  expect(findTreatmentFaults(asked, report({ frequency: measured }), [{ counters: {} }])).toEqual(
    [],
  );
});

test('an activity was done, for as long as was asked', () => {
  const asked = treat({ activity: { kind: 'integer-work', milliseconds: 2 } });
  const slices = { sliceNs: [1_000_000, 1_000_000], sliceOperations: [5, 5] };
  const faults = (activity?: { elapsedNs: number }) =>
    findTreatmentFaults(asked, report({}), [activity === undefined ? {} : { activity }]);
  expect(faults({ elapsedNs: 2_000_000, ...slices })).toEqual([]);
  expect(faults()).toEqual(['repetition 0: integer-work was asked for and not done']);
  expect(faults({ elapsedNs: 1_900_000, ...slices })).toEqual([
    'repetition 0: integer-work of 2 ms took 1900000 ns',
  ]);
  expect(faults({ elapsedNs: 2_000_000 })).toEqual([
    'repetition 0: integer work without its slices',
  ]);
  expect(findTreatmentFaults(treat({}), report({}), [{ activity: { elapsedNs: 1 } }])).toEqual([
    'repetition 0: an activity that nobody asked for',
  ]);
});

import { trialColumns } from '../../src/formats/trial-table.ts';

type Cells = Partial<Record<(typeof trialColumns)[number]['name'], string | number>>;

/** Line 1 of a `trials.csv`, written out: a column that is renamed must fail the tests. */
export const trialHeader =
  'campaign,protocol,device,architecture,quantization,sequenceLength,phase,round,position,state,trialMeanNs,inTrialCv,processNs';

/** One row; an observed trial of mid F16 S512 prefill unless the cells say otherwise. */
export function trialLine(cells: Cells = {}): string {
  const all = {
    campaign: 'c',
    protocol: 'v1',
    device: 'Test GPU',
    architecture: 'mid',
    quantization: 'F16',
    sequenceLength: 512,
    phase: 'prefill',
    round: 0,
    position: 0,
    state: 'observed',
    trialMeanNs: 14_820_000,
    inTrialCv: 0.001,
    processNs: 900_000_000,
    ...cells,
  };
  return trialColumns.map(({ name }) => all[name]).join(',');
}

/** A whole table of one item from its trial means, one a round. */
export function trialTable(means: readonly (string | number)[], cells: Cells = {}): string {
  const lines = means.map((trialMeanNs, round) => trialLine({ ...cells, round, trialMeanNs }));
  return `${[trialHeader, ...lines].join('\n')}\n`;
}

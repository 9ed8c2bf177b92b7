import type { Across, Agreement } from '../formats/comparison.ts';

/** What campaigns agree in, as people say it. */
export const agreementWords: Record<Agreement['what'], string> = {
  protocol: 'protocol',
  runner: 'runner',
  libraries: 'libraries of llama.cpp',
  device: 'device and driver',
  specimen: 'the very device',
  environment: 'environment',
  models: 'models',
  schedule: 'order of measuring',
  rooflaw: 'rooflaw',
};

/** The rows that a declaration allows to differ. */
export const rowsOfAcross: Record<Across, readonly Agreement['what'][]> = {
  device: ['device', 'specimen'],
  backend: ['runner', 'libraries'],
  protocol: ['protocol'],
};

/** What is declared to differ, and of the backend only what does: `the runner (libraries the same)`. */
export function describeAcross(across: readonly Across[], agreement: readonly Agreement[]): string {
  const differs = (row: Agreement['what']) =>
    agreement.some(({ what, state }) => what === row && state === 'different');
  const isSame = (row: Agreement['what']) =>
    agreement.every(({ what, state }) => what !== row || state === 'same');
  return across
    .map((what) => {
      if (what !== 'backend') return what;
      if (differs('runner') && isSame('libraries'))
        return 'the runner (all libraries are the same)';
      if (differs('libraries') && isSame('runner')) return 'the libraries (the runner is the same)';
      return 'backend';
    })
    .join(' and ');
}

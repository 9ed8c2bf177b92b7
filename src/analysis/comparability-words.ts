import type { Agreement } from '../formats/comparison.ts';

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

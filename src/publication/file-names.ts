/** Files of a published folder. */
export const trialFile = 'trials.csv';
export const repetitionFile = 'repetitions.csv';
/** Only where each decode step was timed. */
export const stepFile = 'steps.csv';
export const analysisFile = 'analysis.json';
export const protocolFile = 'protocol.json';
export const planFile = 'plan.json';
export const dataPackageFile = 'datapackage.json';
export const croissantFile = 'croissant.json';
export const readmeFile = 'README.md';
/** Hashes of all the others, as `sha256sum` writes and checks them. */
export const sumsFile = 'SHA256SUMS';

/** What the data descriptions describe, in their order. */
export const dataFilesOf = (hasSteps: boolean): string[] => [
  ...[trialFile, repetitionFile, ...(hasSteps ? [stepFile] : [])],
  ...[analysisFile, protocolFile, planFile],
];

/** All that a published folder holds, no more and no less. */
export const publishedFilesOf = (hasSteps: boolean): string[] => [
  ...dataFilesOf(hasSteps),
  ...[dataPackageFile, croissantFile, readmeFile, sumsFile],
];

/** Every file that some publication has. */
export const publishedFiles = publishedFilesOf(true);

/** Files of a published folder. */
export const trialFile = 'trials.csv';
export const repetitionFile = 'repetitions.csv';
export const analysisFile = 'analysis.json';
export const protocolFile = 'protocol.json';
export const planFile = 'plan.json';
export const dataPackageFile = 'datapackage.json';
export const croissantFile = 'croissant.json';
export const readmeFile = 'README.md';
/** Hashes of all the others, as `sha256sum` writes and checks them. */
export const sumsFile = 'SHA256SUMS';

/** What the data descriptions describe, in their order. */
export const dataFiles = [trialFile, repetitionFile, analysisFile, protocolFile, planFile];
/** All that a published folder holds, no more and no less. */
export const publishedFiles = [...dataFiles, dataPackageFile, croissantFile, readmeFile, sumsFile];

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

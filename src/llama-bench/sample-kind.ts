/**
 * What a sample is: a repetition inside one process (llama-bench), or the mean of a fresh process of
 * its own (`rooflaw bench`).
 */
export type SampleKind = 'repetition' | 'process';

/** What the samples cannot say, first of all limits of an import. */
export const sampleLimits: Readonly<Record<SampleKind, string>> = {
  repetition: 'samples inside one process: no interval over processes can be given',
  process:
    'each sample is the mean of one fresh process: no interval is made of them here; the file’s own (rooflaw_interval_…, in Markdown interval t/s) is over processes',
};

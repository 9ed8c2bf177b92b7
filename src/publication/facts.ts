import type { Analysis } from '../formats/analysis.ts';
import { isGenerated } from '../formats/plan.ts';
import { type TableVersion, tableVersionFor } from '../formats/table-place.ts';
import { formatCount } from '../units.ts';
import { timesSteps } from './tabulate-steps.ts';

/** The part of the ledger that was published: its first lines, and the hash of the last of them. */
export interface LedgerPart {
  lines: number;
  lastLineSha256: string;
}

/** What the data descriptions and the README say besides the tables. */
export interface PublicationFacts {
  analysis: Analysis;
  /** What the ledger says of the hours of measuring: others at work, drift, sessions. */
  course: readonly string[];
  planSha256: string;
  protocolSha256: string;
  ledger: LedgerPart;
  title: string;
  /** An SPDX identifier, or null when nobody stated one. */
  license: string | null;
  /** ISO 8601 in UTC. */
  publishedAt: string;
  programVersion: string;
}

/** A file as it will be written. */
export interface PublishedFile {
  name: string;
  text: string;
}

export const licenseUrl = (spdx: string): string => `https://spdx.org/licenses/${spdx}.html`;

export function defaultTitle({ name, protocol, identity }: Analysis): string {
  return `Inference cost of language models: campaign ${name}, protocol ${protocol.name}, ${identity.fingerprint.deviceDescription}`;
}

/** Two sentences for whoever meets the data outside its folder. */
export function describeData({ analysis }: PublicationFacts): string {
  const { progress, items, protocol, identity, closure } = analysis;
  const { warmup, kept } = protocol.repetitions;
  const times = `${formatCount(progress.observed, 'observed trial')} and ${progress.failed} failed`;
  return `Times that llama.cpp took to run ${nameModels(identity)} on ${identity.fingerprint.deviceDescription}: ${times}, of ${formatCount(items.length, 'item')}. Each trial is one fresh process with ${warmup} warm-up and ${kept} kept repetitions; its mean over the kept ones is one sample, and nothing was removed. Target difference ${closure.targetDifference}.`;
}

function nameModels({ models }: Analysis['identity']): string {
  const files = models.filter((model) => !isGenerated(model)).length;
  if (files === 0) return 'language models with random weights';
  const random = files < models.length ? ' and language models with random weights' : '';
  return `${formatCount(files, 'model file')}${random}`;
}

/** Of the tables: the oldest that holds what was measured. */
export function versionOf({ items, protocol }: Analysis): TableVersion {
  return timesSteps(protocol) ? 2 : tableVersionFor(items);
}

/** Stands in place of words that the publisher keeps. */
export const withheld = '[withheld by the publisher]';

export const keywords = ['large language models', 'inference', 'latency', 'benchmark', 'llama.cpp'];
export const trialDescription = 'One row a trial that was begun, in the order of measuring.';
export const repetitionDescription = 'Every repetition of every observed trial, warm-up included.';
export const stepDescription =
  'Every decode step of every repetition of an observed trial, and the prefill before them.';

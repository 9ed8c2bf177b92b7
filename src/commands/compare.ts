import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ComparedCampaign } from '../analysis/comparability.ts';
import { compareCampaigns } from '../analysis/compare-campaigns.ts';
import { compareItems } from '../analysis/compare-items.ts';
import { compareSessions } from '../analysis/compare-sessions.ts';
import { usualMargin } from '../analysis/usual-margin.ts';
import { locateCampaign } from '../campaign/locate.io.ts';
import { RooflawError } from '../errors.ts';
import { type Across, acrossSchema, type Comparison } from '../formats/comparison.ts';
import { formatJson } from '../printable.ts';
import { formatComparison } from '../report/format-comparison.ts';
import { readSubjects, type SubjectOptions } from './compare-subjects.ts';
import { loadSamplesAndOrigin } from './load-analysis.ts';
import { describeOutput } from './output-terminal.ts';

interface CompareOptions extends SubjectOptions {
  across: Across[];
  campaign?: string;
  json: boolean;
}

/** Loads what the words name and compares it. @throws RooflawError */
export async function compare(
  words: readonly string[],
  options: CompareOptions,
): Promise<Comparison> {
  const subjects = readSubjects(words, options, isSameCampaign);
  const load = (nameOrPath: string) => loadCompared(nameOrPath, options.campaign);
  switch (subjects.kind) {
    case 'items': {
      const { margin = usualMargin, equivalence = null } = options;
      const { analysis } = await load(subjects.campaign);
      return compareItems(analysis, { a: subjects.a, b: subjects.b, margin, equivalence });
    }
    case 'campaigns':
      return compareCampaigns(await load(subjects.a), await load(subjects.b), options.across);
    case 'sessions': {
      const [first, ...others] = subjects.campaigns;
      const loaded: [ComparedCampaign, ...ComparedCampaign[]] = [await load(first)];
      for (const other of others) loaded.push(await load(other));
      return compareSessions(loaded, options.across);
    }
  }
}

async function loadCompared(nameOrPath: string, campaign?: string): Promise<ComparedCampaign> {
  return loadSamplesAndOrigin(nameOrPath, campaign === undefined ? {} : { campaign });
}

function isSameCampaign(a: string, b: string): boolean {
  return placeOf(a) === placeOf(b);
}

function placeOf(nameOrPath: string): string {
  try {
    return resolve(locateCampaign(nameOrPath).folder);
  } catch (error) {
    if (error instanceof RooflawError) return resolve(nameOrPath); // a table, or nothing
    throw error;
  }
}

export function registerCompare(program: Command): void {
  program
    .command('compare')
    .description('Say whether items differ, or what two campaigns or sessions have in common.')
    .argument(
      '<subjects...>',
      'CAMPAIGN A B: two items, or sets of items, of one campaign, each KEY=VALUE,…; CAMPAIGN1 CAMPAIGN2: the same items measured twice',
    )
    .option(
      '--margin <fraction>',
      `a ratio this near to 1 is no difference (default: ${usualMargin})`,
      parseMargin,
    )
    .option(
      '--equivalence <fraction>',
      'call a pair equivalent when its ratio is within this of 1 (default: never)',
      parseEquivalence,
    )
    .addOption(
      new Option(
        '--across <what>',
        'the campaigns may differ in this, because it is the question; may be repeated',
      )
        .choices(acrossSchema.options)
        .argParser(collectAcross)
        .default([]),
    )
    .option('--sessions', 'sessions as blocks: their share of the variance', false)
    .option('--campaign <name>', 'which one, where a trials.csv holds several')
    .option('--json', 'as JSON (docs/compare.md)', false)
    .addHelpText(
      'after',
      `
Keys of an item: architecture, quantization, sequenceLength, phase. A key that is left out takes all
values: quantization=F16 against quantization=Q8_0 compares every architecture, length and phase with
itself, as one family with corrected p-values and intervals.

Example:
  $ rooflaw compare pocket architecture=wide,phase=decode architecture=deep,phase=decode
  $ rooflaw compare pocket quantization=F16 quantization=Q8_0 --equivalence 0.02
  $ rooflaw compare monday tuesday --across device
  $ rooflaw compare --sessions monday tuesday wednesday

Exit status: 0 compared, whatever the verdict; 2 no such campaign or items, or campaigns that differ in
what was not declared; 5 a ledger is not as it was written`,
    )
    .action(async (words: string[], options: CompareOptions) => {
      const comparison = await compare(words, options);
      process.stdout.write(
        options.json ? formatJson(comparison) : formatComparison(comparison, describeOutput()),
      );
    });
}

function parseMargin(text: string): number {
  return parseFraction(text, true);
}

function parseEquivalence(text: string): number {
  return parseFraction(text, false);
}

function parseFraction(text: string, mayBeZero: boolean): number {
  const value = Number(text);
  const isFraction = /^\d*\.?\d+$/.test(text) && value < 1 && (mayBeZero || value > 0);
  if (isFraction) return value;
  throw new InvalidArgumentError('must be a fraction below 1: 0.005 is half a percent');
}

function collectAcross(text: string, earlier: Across[]): Across[] {
  const parsed = acrossSchema.safeParse(text);
  if (parsed.success) return [...new Set([...earlier, parsed.data])];
  throw new InvalidArgumentError(`must be one of ${acrossSchema.options.join(', ')}`);
}

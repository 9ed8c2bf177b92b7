import type { TableAnalysis } from '../formats/analysis.ts';
import { isGenerated, type Plan } from '../formats/plan.ts';
import { analyzeSamples, holdsRepetitions } from './analyze-samples.ts';
import { listTableCaveats } from './caveats.ts';
import { markUnwatched } from './left-out.ts';
import type { Measurements } from './measurements.ts';
import { analyzeSequential } from './sequential.ts';

/** What a table says besides its trials. */
export interface TableFacts {
  protocolName: string;
  device: string;
  /** Where the table was published with it. */
  protocol: TableAnalysis['protocol'];
  /** Says what a stopping rule compared; where it was published with the table. */
  plan: Plan | null;
  /** What the reader of the table could not find; the usual gaps are added here. */
  absent?: TableAnalysis['absent'];
}

/** Everything a public table of trials says. No ledger vouches for it, and it says so. */
export function analyzeTable(measurements: Measurements, facts: TableFacts): TableAnalysis {
  const samples = analyzeSamples(measurements);
  const sequential = facts.plan && analyzeSequential(facts.plan, measurements);
  const described = {
    ...samples,
    drift: markUnwatched(samples.drift, samples.items, sequential),
    evidence: 'trial-table' as const,
    protocolName: facts.protocolName,
    device: facts.device,
    declaration: measurements.declaration,
    protocol: facts.protocol,
    sequential,
    ...(facts.plan === null ? {} : { weights: describeWeights(facts.plan) }),
    absent: [...listAbsent(measurements, facts), ...(facts.absent ?? [])],
  };
  return { ...described, caveats: listTableCaveats(described) };
}

function describeWeights({ models }: Plan): NonNullable<TableAnalysis['weights']> {
  if (models.every(isGenerated)) return 'random';
  return models.some(isGenerated) ? 'both' : 'files';
}

function listAbsent(
  measurements: Measurements,
  { plan, protocol }: TableFacts,
): TableAnalysis['absent'] {
  const noLedger = 'stands in the ledger only';
  const absent = [
    { field: 'cost', reason: `what loading, waiting and reading the device took ${noLedger}` },
    { field: 'identity', reason: `the hashes of backend, runner and models: ${noLedger}` },
    { field: 'failures', reason: `the messages of failed trials: ${noLedger}` },
  ];
  if (!holdsRepetitions(measurements) || measurements.repetitions === null) {
    const reason = 'the table holds trial means without their repetitions';
    absent.push({ field: 'warmup', reason }, { field: 'allocation', reason });
  }
  if (plan === null && protocol === null) {
    const reason =
      'neither protocol nor plan came with the table, so whether a stopping rule ended the campaign, and what it decided, is not known';
    absent.push({ field: 'sequential', reason });
  } else if (plan === null && protocol?.stopping !== undefined) {
    const reason =
      'the protocol has a stopping rule, but no plan came with the table to say what it compared';
    absent.push({ field: 'sequential', reason });
  }
  return absent;
}

import type { CampaignRecord } from '../analysis/campaign-record.ts';
import { type Analysis, campaignAnalysisSchema } from '../formats/analysis.ts';
import { planSchema } from '../formats/plan.ts';
import { protocolSchema } from '../formats/protocol.ts';
import { formatRepetitionTable } from '../formats/repetition-table.ts';
import { formatStepTable, type TrialSteps } from '../formats/step-table.ts';
import { formatTrialTable } from '../formats/trial-table.ts';
import { sha256Hex } from '../hash.ts';
import { formatJson } from '../printable.ts';
import { describeCroissant } from './croissant.ts';
import { describePackage } from './data-package.ts';
import { type PublicationFacts, type PublishedFile, versionOf, withheld } from './facts.ts';
import {
  analysisFile,
  croissantFile,
  dataPackageFile,
  planFile,
  protocolFile,
  readmeFile,
  repetitionFile,
  stepFile,
  sumsFile,
  trialFile,
} from './file-names.ts';
import { describeFolder } from './readme.ts';
import { tabulateCampaign } from './tabulate.ts';
import { timesSteps } from './tabulate-steps.ts';

/**
 * All files of a publication. Only what the schemas and column lists name goes in: boot ids, device
 * readings, logs, ends of standard error and everything else of the ledger stay out.
 * @param steps written where the protocol times each decode step
 */
export function assemblePublication(
  record: CampaignRecord,
  steps: readonly TrialSteps[],
  facts: PublicationFacts,
): PublishedFile[] {
  const { plan } = record.campaign;
  const { trials, repetitions } = tabulateCampaign(record);
  const version = versionOf(facts.analysis);
  const data: PublishedFile[] = [
    { name: trialFile, text: formatTrialTable(trials, version) },
    { name: repetitionFile, text: formatRepetitionTable(repetitions, version) },
    ...(timesSteps(plan.protocol) ? [{ name: stepFile, text: formatStepTable(steps) }] : []),
    { name: analysisFile, text: formatJson(campaignAnalysisSchema.parse(facts.analysis)) },
    { name: protocolFile, text: formatJson(protocolSchema.parse(plan.protocol)) },
    { name: planFile, text: formatJson(planSchema.parse(plan)) },
  ];
  const described: PublishedFile[] = [
    ...data,
    { name: dataPackageFile, text: formatJson(describePackage(data, facts)) },
    { name: croissantFile, text: formatJson(describeCroissant(data, facts)) },
    { name: readmeFile, text: describeFolder(facts) },
  ];
  const sums = described.map(({ name, text }) => `${sha256Hex(text)}  ${name}\n`).join('');
  return [...described, { name: sumsFile, text: sums }];
}

/** The same without a person's notes and the messages of failed trials; that there were some stays. */
export function withholdWords(analysis: Analysis): Analysis {
  return {
    ...analysis,
    notes: analysis.notes.map((note) => ({ ...note, text: withheld })),
    failures: analysis.failures.map((failure) => ({ ...failure, message: withheld })),
  };
}

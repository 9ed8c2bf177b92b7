import { z } from 'zod';
import { sha256Schema } from '../formats/architecture.ts';
import { repetitionColumnsOf } from '../formats/repetition-table.ts';
import { stepColumns, stepKeyColumns } from '../formats/step-table.ts';
import type { TableColumn } from '../formats/strict-csv.ts';
import { keyColumnsOf, type TableVersion } from '../formats/table-place.ts';
import { trialColumnsOf } from '../formats/trial-table.ts';
import { sha256Hex } from '../hash.ts';
import {
  describeData,
  keywords,
  licenseUrl,
  type PublicationFacts,
  type PublishedFile,
  repetitionDescription,
  stepDescription,
  trialDescription,
  versionOf,
} from './facts.ts';
import {
  analysisFile,
  planFile,
  protocolFile,
  repetitionFile,
  stepFile,
  trialFile,
} from './file-names.ts';

/** The project's own part of `datapackage.json`: what ties the folder to its ledger. */
export const provenanceSchema = z.strictObject({
  /** Of the two tables and their descriptions. */
  formatVersion: z.union([z.literal(1), z.literal(2)], 'is not known: 1 and 2 are'),
  programVersion: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]{0,40}$/, 'is no version'),
  planSha256: sha256Schema,
  protocolSha256: sha256Schema,
  ledgerLines: z.int().min(1),
  ledgerLastLineSha256: sha256Schema,
});

export type Provenance = z.infer<typeof provenanceSchema>;

/** Other members belong to the standard. */
export const dataPackageSchema = z.looseObject({
  title: z.string(),
  created: z.iso.datetime(),
  licenses: z.array(z.looseObject({ name: z.string() })).optional(),
  resources: z.array(z.looseObject({ path: z.string(), bytes: z.int(), hash: z.string() })),
  rooflaw: provenanceSchema,
});

export type DataPackage = z.infer<typeof dataPackageSchema>;

interface Table {
  description: string;
  columnsOf(version: TableVersion): readonly TableColumn[];
  keyOf(version: TableVersion): string[];
}

const tables = new Map<string, Table>([
  [trialFile, { description: trialDescription, columnsOf: trialColumnsOf, keyOf: keyColumnsOf }],
  [
    repetitionFile,
    {
      description: repetitionDescription,
      columnsOf: repetitionColumnsOf,
      keyOf: (version) => [...keyColumnsOf(version), 'repetition'],
    },
  ],
  [
    stepFile,
    {
      description: stepDescription,
      columnsOf: () => stepColumns,
      keyOf: () => stepKeyColumns,
    },
  ],
]);

const documents = new Map<string, string>([
  [analysisFile, 'What the trials say and what they do not show, as `rooflaw analyze --json`.'],
  [protocolFile, 'The rules of measuring in full.'],
  [planFile, 'What was declared before the first trial: question, target, models by their hash.'],
]);

/**
 * The data description of the Data Package standard, version 2.
 * @see https://datapackage.org/standard/data-package/
 */
export function describePackage(files: readonly PublishedFile[], facts: PublicationFacts): object {
  const { analysis, license, ledger, planSha256, protocolSha256, programVersion } = facts;
  const formatVersion = versionOf(analysis);
  return {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: analysis.name.toLowerCase(),
    title: facts.title,
    description: describeData(facts),
    created: facts.publishedAt,
    keywords,
    ...(license === null ? {} : { licenses: [{ name: license, path: licenseUrl(license) }] }),
    sources: [
      {
        title: `Ledger of campaign ${analysis.name}, lines 1 to ${ledger.lines}; SHA-256 of the last: ${ledger.lastLineSha256}`,
      },
    ],
    resources: files.map((file) => describeResource(file, formatVersion)),
    rooflaw: {
      formatVersion,
      programVersion,
      planSha256,
      protocolSha256,
      ledgerLines: ledger.lines,
      ledgerLastLineSha256: ledger.lastLineSha256,
    } satisfies Provenance,
  };
}

function describeResource({ name: path, text }: PublishedFile, version: TableVersion): object {
  const file = {
    path,
    encoding: 'utf-8',
    bytes: Buffer.byteLength(text),
    hash: `sha256:${sha256Hex(text)}`,
  };
  const [name] = path.split('.');
  const table = tables.get(path);
  if (table === undefined) {
    const description = documents.get(path);
    return { name, description, ...file, format: 'json', mediatype: 'application/json' };
  }
  const { description, columnsOf, keyOf } = table;
  const keyColumns = keyColumnsOf(version);
  const schema = {
    $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
    fields: columnsOf(version).map(describeField),
    fieldsMatch: 'exact',
    missingValues: [''],
    primaryKey: keyOf(version),
    ...(path === trialFile ? {} : { foreignKeys: [keyIntoTrials(keyColumns)] }),
  };
  return {
    name,
    description,
    ...file,
    type: 'table',
    format: 'csv',
    mediatype: 'text/csv',
    schema,
  };
}

const keyIntoTrials = (fields: readonly string[]) => ({
  fields,
  reference: { resource: 'trials', fields },
});

function describeField({ name, type, unit, description, values, optional }: TableColumn): object {
  const constraints = {
    ...(optional ? {} : { required: true }),
    ...(values ? { enum: values } : {}),
    ...(type === 'string' ? {} : { minimum: 0 }),
  };
  return { name, type, description, ...(unit === undefined ? {} : { unit }), constraints };
}

import { repetitionColumnsOf } from '../formats/repetition-table.ts';
import { stepColumns, stepKeyColumns } from '../formats/step-table.ts';
import type { TableColumn } from '../formats/strict-csv.ts';
import { keyColumnsOf } from '../formats/table-place.ts';
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
import { repetitionFile, stepFile, trialFile } from './file-names.ts';
import { timesSteps } from './tabulate-steps.ts';

/** The terms of the vocabulary, as its specification lists them. */
const context = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  cr: 'http://mlcommons.org/croissant/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  equivalentProperty: 'cr:equivalentProperty',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileObject: 'cr:fileObject',
  fileProperty: 'cr:fileProperty',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  rai: 'http://mlcommons.org/croissant/RAI/',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  samplingRate: 'cr:samplingRate',
  sc: 'https://schema.org/',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
};

/**
 * The data description of ML Commons Croissant 1.0, in JSON-LD.
 * @see https://docs.mlcommons.org/croissant/docs/croissant-spec.html
 */
export function describeCroissant(
  files: readonly PublishedFile[],
  facts: PublicationFacts,
): object {
  const { analysis, license, title } = facts;
  const version = versionOf(analysis);
  const keyColumns = keyColumnsOf(version);
  return {
    '@context': context,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    name: analysis.name,
    alternateName: title,
    description: describeData(facts),
    citeAs: describeCitation(facts),
    ...(license === null ? {} : { license: licenseUrl(license) }),
    datePublished: facts.publishedAt.slice(0, 10),
    version: '1.0.0',
    keywords,
    isLiveDataset: false,
    distribution: files.map(describeFile),
    recordSet: [
      describeRecords(trialFile, trialDescription, trialColumnsOf(version), keyColumns),
      describeRecords(repetitionFile, repetitionDescription, repetitionColumnsOf(version), [
        ...keyColumns,
        'repetition',
      ]),
      ...(timesSteps(analysis.protocol)
        ? [describeRecords(stepFile, stepDescription, stepColumns, stepKeyColumns)]
        : []),
    ],
  };
}

/** BibTeX, whose braces and backslashes a title must not have. */
function describeCitation({ analysis, title, publishedAt, ledger }: PublicationFacts): string {
  const note = `Ledger of ${ledger.lines} lines; SHA-256 of the last: ${ledger.lastLineSha256}`;
  const words = title.replace(/[{}\\]/g, '');
  return `@misc{${analysis.name}, title={${words}}, year={${publishedAt.slice(0, 4)}}, note={${note}}}`;
}

function describeFile({ name, text }: PublishedFile): object {
  return {
    '@type': 'cr:FileObject',
    '@id': name,
    name,
    contentUrl: name,
    contentSize: `${Buffer.byteLength(text)} B`,
    encodingFormat: name.endsWith('.csv') ? 'text/csv' : 'application/json',
    sha256: sha256Hex(text),
  };
}

function describeRecords(
  file: string,
  description: string,
  columns: readonly TableColumn[],
  keyColumns: readonly string[],
): object {
  const set = file.replace(/\.csv$/, '');
  return {
    '@type': 'cr:RecordSet',
    '@id': set,
    name: set,
    description,
    key: keyColumns.map((name) => ({ '@id': `${set}/${name}` })),
    field: columns.map((column) => ({
      '@type': 'cr:Field',
      '@id': `${set}/${column.name}`,
      name: column.name,
      description: column.unit === 'ns' ? `${column.description} In ns.` : column.description,
      dataType: dataTypeOf(column),
      source: { fileObject: { '@id': file }, extract: { column: column.name } },
    })),
  };
}

/** An empty cell is a float's NaN to most readers, and no integer. */
function dataTypeOf({ type, optional }: TableColumn): string {
  if (type === 'string') return 'sc:Text';
  return type === 'integer' && !optional ? 'sc:Integer' : 'sc:Float';
}

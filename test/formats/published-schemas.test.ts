import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  abSchemaFile,
  buildAbSchema,
  buildExperimentResultSchema,
  buildExperimentSchema,
  buildGateSchema,
  buildSealSchema,
  buildTokenSchema,
  experimentResultSchemaFile,
  experimentSchemaFile,
  gateSchemaFile,
  sealSchemaFile,
  tokenSchemaFile,
} from '../../scripts/write-schemas.ts';

test.each([
  ['ab', abSchemaFile, buildAbSchema],
  ['experiment', experimentSchemaFile, buildExperimentSchema],
  ['experiment results', experimentResultSchemaFile, buildExperimentResultSchema],
  ['gate', gateSchemaFile, buildGateSchema],
  ['seal', sealSchemaFile, buildSealSchema],
  ['tokens', tokenSchemaFile, buildTokenSchema],
])(
  'the published schema of %s is the one of the source (else: node scripts/write-schemas.ts)',
  (_, file, build) => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(build())));
  },
);

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildLlamaBenchSchema, llamaBenchSchemaFile } from '../../scripts/write-schemas.ts';

test('the published schema is what the source gives (else: node scripts/write-schemas.ts)', () => {
  const published = JSON.parse(readFileSync(llamaBenchSchemaFile, 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(buildLlamaBenchSchema())));
});

test('it says what its fields are', () => {
  const { $defs } = buildLlamaBenchSchema() as {
    $defs: Record<string, { properties: Record<string, { description?: string }> }>;
  };
  expect($defs.printedFigure?.properties.right?.description).toBe('What the samples give.');
  expect($defs.llamaBenchRun?.properties.interval?.description).toContain('Always null');
});

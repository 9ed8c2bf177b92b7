import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildComparisonSchema, comparisonSchemaFile } from '../../scripts/write-schemas.ts';

test('the published schema of comparisons is the one of the source', () => {
  const published = JSON.parse(readFileSync(comparisonSchemaFile, 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(buildComparisonSchema())));
});

test('it says what its fields are', () => {
  const { $defs } = buildComparisonSchema() as {
    $defs: Record<string, { properties: Record<string, { description?: string }> }>;
  };
  expect(Object.keys($defs)).toEqual(
    expect.arrayContaining(['itemsComparison', 'campaignsComparison', 'sessionsComparison']),
  );
  expect($defs.decision?.properties.statistic?.description).toBe(
    'Sum of rank(B) - rank(A) over the pairs.',
  );
});

/** Writes docs/schemas/*.schema.json from the source. Run: node scripts/write-schemas.ts */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import * as ab from '../src/formats/ab.ts';
import * as analysis from '../src/formats/analysis.ts';
import * as architecture from '../src/formats/architecture.ts';
import * as closure from '../src/formats/closure.ts';
import * as comparison from '../src/formats/comparison.ts';
import * as experiment from '../src/formats/experiment.ts';
import * as experimentResult from '../src/formats/experiment-result.ts';
import * as itemAnalysis from '../src/formats/item-analysis.ts';
import * as ledger from '../src/formats/ledger.ts';
import * as llamaBenchImport from '../src/formats/llama-bench-import.ts';
import * as plan from '../src/formats/plan.ts';
import * as protocol from '../src/formats/protocol.ts';
import * as seal from '../src/formats/seal.ts';
import * as sequential from '../src/formats/sequential.ts';
import * as tokenAnalysis from '../src/formats/token-analysis.ts';
import * as treatment from '../src/formats/treatment.ts';
import { readDocComments } from './read-doc-comments.ts';

/** The files that hold the schemas, each file's own last word on its names. */
const sources = Object.entries({
  architecture,
  ledger,
  plan,
  protocol,
  sequential,
  'item-analysis': itemAnalysis,
  closure,
  analysis,
});
const folder = new URL('../src/formats/', import.meta.url);
export const analysisSchemaFile = new URL('../docs/schemas/analysis.schema.json', import.meta.url);
export const comparisonSchemaFile = new URL(
  '../docs/schemas/comparison.schema.json',
  import.meta.url,
);

export const llamaBenchSchemaFile = new URL(
  '../docs/schemas/llama-bench-import.schema.json',
  import.meta.url,
);

const fileOf = (name: string) => new URL(`../docs/schemas/${name}.schema.json`, import.meta.url);
export const abSchemaFile = fileOf('ab');
export const gateSchemaFile = fileOf('gate');
export const tokenSchemaFile = fileOf('token-analysis');
export const sealSchemaFile = fileOf('seal');
export const experimentSchemaFile = fileOf('experiment');
export const experimentResultSchemaFile = fileOf('experiment-result');

/** What of a JSON Schema is walked through. */
interface SchemaNode {
  description?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode | boolean;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
}

/** What stands in analysis.schema.json: JSON Schema 2020-12 of what `rooflaw analyze --json` prints. */
export function buildAnalysisSchema(): Record<string, unknown> {
  return buildSchema(analysis.analysisSchema, sources, {
    title: 'rooflaw-analysis, format version 1',
    description:
      'What `rooflaw analyze --json` prints. Names end in their unit; fractions are fractions of 1, never percent; what cannot be said is null.',
  });
}

/** The same for comparison.schema.json and `rooflaw compare --json`. */
export function buildComparisonSchema(): Record<string, unknown> {
  return buildSchema(
    comparison.comparisonSchema,
    Object.entries({
      architecture,
      ledger,
      plan,
      protocol,
      'item-analysis': itemAnalysis,
      analysis,
      comparison,
    }),
    {
      title: 'rooflaw-comparison, format version 1',
      description:
        'What `rooflaw compare --json` prints. Ratios are time of B over time of A; changes and shares are fractions of 1; what cannot be said is null, with its reason under `missing`.',
    },
  );
}

/** The same for llama-bench-import.schema.json and `rooflaw import llama-bench --json`. */
export function buildLlamaBenchSchema(): Record<string, unknown> {
  return buildSchema(
    llamaBenchImport.llamaBenchImportSchema,
    [
      ['architecture', architecture],
      ['llama-bench-import', llamaBenchImport],
    ],
    {
      title: 'rooflaw-llama-bench-import, format version 1',
      description:
        'What `rooflaw import llama-bench --json` prints. Times end in Ns; shares are fractions of 1; what cannot be given is null, with its reason under `missing` or a finding.',
    },
  );
}

/** The same for ab.schema.json and `rooflaw ab --json`. */
export function buildAbSchema(): Record<string, unknown> {
  return buildSchema(ab.abSchema, Object.entries({ architecture, protocol, ab }), {
    title: 'rooflaw-ab, format version 1',
    description:
      'What `rooflaw ab --json` prints. Ratios are time of b over time of a; what cannot be said is null.',
  });
}

/** The same for gate.schema.json and `rooflaw gate --json`. */
export function buildGateSchema(): Record<string, unknown> {
  return buildSchema(ab.gateSchema, Object.entries({ architecture, protocol, ab }), {
    title: 'rooflaw-gate, format version 1',
    description:
      'What `rooflaw gate --json` prints. Ratios are time of the candidate over time of the base; what cannot be said is null.',
  });
}

/** The same for token-analysis.schema.json and `rooflaw tokens --json`. */
export function buildTokenSchema(): Record<string, unknown> {
  const sources = Object.entries({ architecture, 'token-analysis': tokenAnalysis });
  return buildSchema(tokenAnalysis.tokenAnalysisSchema, sources, {
    title: 'rooflaw-token-analysis, format version 1',
    description:
      'What `rooflaw tokens --json` prints. Times end in Ns; shares are fractions of 1; what cannot be said is null, with its reason.',
  });
}

/** The same for seal.schema.json and the `seal.json` that `rooflaw seal` writes. */
export function buildSealSchema(): Record<string, unknown> {
  return buildSchema(seal.sealFileSchema, Object.entries({ architecture, seal }), {
    title: 'rooflaw-seal, format version 1',
    description:
      'What `rooflaw seal` writes: a list of seals of one ledger. Signed is the canonical JSON (RFC 8785) of all members but `signature`.',
  });
}

/** The same for experiment.schema.json and the file that `rooflaw diagnose FILE.json` reads. */
export function buildExperimentSchema(): Record<string, unknown> {
  const sources = Object.entries({ architecture, protocol, treatment, experiment });
  return buildSchema(experiment.experimentSchema, sources, {
    title: 'rooflaw-experiment, format version 1',
    description:
      'A controlled experiment, as `rooflaw diagnose FILE.json` reads it and its ledger holds it. What no schema can say (levels of every factor, readings that a metric needs) is said when it is read.',
  });
}

/** The same for experiment-result.schema.json and `rooflaw diagnose --json`. */
export function buildExperimentResultSchema(): Record<string, unknown> {
  const sources = Object.entries({
    architecture,
    protocol,
    treatment,
    experiment,
    'experiment-result': experimentResult,
  });
  return buildSchema(experimentResult.experimentResultSchema, sources, {
    title: 'rooflaw-experiment-result, format version 1',
    description:
      'What `rooflaw diagnose --json` prints. Times are in ns; ratios are of b over a; what was not measured is null, with its reason in the sentences.',
  });
}

/** Each exported schema of the source is a definition; comments of the source are descriptions. */
function buildSchema(
  root: z.ZodType,
  sources: readonly (readonly [string, object])[],
  head: { title: string; description: string },
): Record<string, unknown> {
  const names = z.registry<{ id: string }>();
  const comments = new Map<string, string>();
  for (const [file, module] of sources) {
    for (const [name, schema] of Object.entries(module)) {
      if (schema instanceof z.ZodType && schema !== root) {
        names.add(schema, { id: name.replace(/Schema$/, '') });
      }
    }
    const text = readFileSync(new URL(`${file}.ts`, folder), 'utf8');
    for (const [path, comment] of readDocComments(text)) comments.set(path, comment);
  }
  const { $schema, $defs, ...rest } = z.toJSONSchema(root, { metadata: names });
  const definitions = Object.entries($defs as Record<string, SchemaNode>)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, node]) => [name, describeNode(node, name, comments)]);
  return {
    $schema,
    ...head,
    ...rest,
    $defs: Object.fromEntries(definitions),
  };
}

/** The node with the comments of its path and of all paths below it. */
function describeNode(
  node: SchemaNode,
  path: string,
  comments: ReadonlyMap<string, string>,
): SchemaNode {
  const below = (inner: SchemaNode, name?: string) =>
    describeNode(inner, name === undefined ? path : `${path}.${name}`, withoutPath);
  const withoutPath = new Map(comments);
  withoutPath.delete(path);
  const description = comments.get(path);
  const { properties, items, anyOf, oneOf } = node;
  return {
    ...(description === undefined ? {} : { description }),
    ...node,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, below(inner, name)]),
      ),
    }),
    ...(typeof items === 'object' && { items: below(items) }),
    ...(anyOf && { anyOf: anyOf.map((inner) => below(inner)) }),
    ...(oneOf && { oneOf: oneOf.map((inner) => below(inner)) }),
  };
}

function write(target: URL, schema: Record<string, unknown>): void {
  writeFileSync(target, `${JSON.stringify(schema, null, 2)}\n`);
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  const file = fileURLToPath(target);
  execFileSync(process.execPath, [biome, 'format', '--write', file], { stdio: 'inherit' });
}

if (import.meta.main) {
  mkdirSync(new URL('.', analysisSchemaFile), { recursive: true });
  write(analysisSchemaFile, buildAnalysisSchema());
  write(comparisonSchemaFile, buildComparisonSchema());
  write(llamaBenchSchemaFile, buildLlamaBenchSchema());
  write(abSchemaFile, buildAbSchema());
  write(gateSchemaFile, buildGateSchema());
  write(tokenSchemaFile, buildTokenSchema());
  write(sealSchemaFile, buildSealSchema());
  write(experimentSchemaFile, buildExperimentSchema());
  write(experimentResultSchemaFile, buildExperimentResultSchema());
}

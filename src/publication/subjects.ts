import type { BackendIdentity, Identity, VariantIdentity } from '../formats/analysis.ts';
import { type FileModel, isGenerated } from '../formats/plan.ts';
import { formatWhole } from '../units.ts';
import { asText } from './as-text.ts';

/**
 * What was measured, where it is not generated models on one backend: files by base name, hash and
 * header, backends and variants by their hashes. Sections of the README, each with an empty line
 * after it; nothing where everything stands in the plan as it always did.
 */
export function describeSubjects(identity: Identity): string {
  const files = identity.models.filter((model): model is FileModel => !isGenerated(model));
  const { variants = [] } = identity;
  return [
    files.length === 0 ? '' : describeFiles(files),
    files.length === 0 && variants.length === 0 ? '' : describeBackends(identity),
    variants.length === 0 ? '' : describeVariants(variants),
  ].join('');
}

function describeFiles(files: readonly FileModel[]): string {
  const rows = files.map((model) => [
    `\`${model.name}\``,
    asText(model.file),
    asText(model.title ?? ''),
    asText(model.family),
    `\`${model.quantization}\``,
    ...[model.layerCount, model.parameterCount, model.weightBytes, model.fileBytes].map(
      formatWhole,
    ),
    `\`${model.sha256}\``,
  ]);
  const parts = files
    .filter((model) => model.parts.length > 1)
    .flatMap((model) =>
      model.parts.map((part) => [
        `\`${model.name}\``,
        asText(part.name),
        formatWhole(part.bytes),
        `\`${part.sha256}\``,
      ]),
    );
  const ofParts =
    parts.length === 0
      ? ''
      : `The SHA-256 of a split model is that of the canonical JSON of the list of its parts’ hashes.\n\n${formatRows(['name', 'part', 'bytes', 'SHA-256'], parts)}\n\n`;
  return `## Models

Files as they were, by base name; the words are those of their headers. The folders that held them are not recorded.

${formatRows(['name', 'file', 'title', 'family', 'quantization', 'layers', 'parameters', 'bytes of weights', 'bytes of file', 'SHA-256'], rows)}

${ofParts}`;
}

function describeBackends({ backend, otherBackends = [], variants }: Identity): string {
  const all = [{ label: variants?.[0]?.backend ?? backend.name, backend }, ...otherBackends];
  return `## Backends

${formatRows(['label', 'llama.cpp', 'commit', 'source tree', 'compiler', 'identity', 'SHA-256 of the runner'], all.map(cellsOfBackend))}

The identity is the hash of the whole build: every library, the runner and what it says of itself.

`;
}

function cellsOfBackend({ label, backend }: { label: string; backend: BackendIdentity }): string[] {
  const { release, commit, sourceTreeHash, compiler, sha256, runnerSha256 } = backend;
  return [
    asText(label),
    asText(release ?? 'unknown'),
    asText(commit ?? 'unknown'),
    asText(sourceTreeHash ?? 'unknown'),
    asText(compiler),
    `\`${sha256}\``,
    `\`${runnerSha256}\``,
  ];
}

function describeVariants(variants: readonly VariantIdentity[]): string {
  const rows = variants.map(({ name, backend, changes, sha256 }) => [
    `\`${name}\``,
    `\`${backend}\``,
    asText(formatChanges(changes)),
    `\`${sha256}\``,
  ]);
  return `## Variants

Measured in the same randomised rounds; \`plan.json\` has the whole of each.

${formatRows(['name', 'backend', 'other than the protocol’s', 'identity'], rows)}

`;
}

/** In the order of the settings' names: a file that was read again may have another. */
function formatChanges(changes: VariantIdentity['changes']): string {
  const words = Object.entries(changes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([setting, value]) => `${setting} ${Array.isArray(value) ? value.join('+') : String(value)}`,
    );
  return words.length === 0 ? 'nothing' : words.join(', ');
}

function formatRows(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

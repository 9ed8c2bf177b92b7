import { formatLimit } from '../../analysis/format-limit.ts';
import type { Analysis, BackendIdentity, VariantIdentity } from '../../formats/analysis.ts';
import type { Architecture } from '../../formats/architecture.ts';
import { type FileModel, isGenerated, nameOfModel } from '../../formats/plan.ts';
import type { Protocol } from '../../formats/protocol.ts';
import { quoteWord } from '../../quote-word.ts';
import { formatBytes, formatCount } from '../../units.ts';
import { html, type Markup } from '../html.ts';
import { renderDefinitions } from './definitions.ts';

/** The declaration, made before the first trial. */
export function renderAsked({ declaration, protocol, closure }: Analysis): Markup {
  const { targetDifference, comparisonFamily, closureRule, tailsAreAGoal } = declaration;
  const limit = formatLimit(targetDifference * closureRule.maxShareOfTarget);
  return html`<section>
<h2>What was asked</h2>
${renderDefinitions([
  ['Difference that matters', formatLimit(targetDifference)],
  [
    'Representative',
    `median of the means of ${protocol.stopping ? 'at most ' : ''}${protocol.processesPerItem} processes, each the mean of its last ${protocol.repetitions.kept} repetitions`,
  ],
  ['Comparisons meant', comparisonFamily],
  ['Enough when', `the farther end of an item’s interval is at most ${limit} from its median`],
  ['Tails', tailsAreAGoal ? 'are a goal' : 'are reported apart and are no goal'],
])}
<p class="small">Declared before the first trial and hashed into the ledger’s first entry. ${closure.targetSource === 'plan' ? 'The answer above is to this declaration.' : 'The answer above is to another target, asked afterwards.'}</p>
</section>`;
}

/** Protocol, device, backend and models. */
export function renderMeasured(analysis: Analysis): Markup {
  const { protocol, identity, otherUse } = analysis;
  const { fingerprint, backend, otherBackends = [], variants, device } = identity;
  const { execution, repetitions, reference } = protocol;
  const memory = (bytes: number | null) => (bytes === null ? '' : `, ${formatBytes(bytes)}`);
  return html`<section>
<h2>What was measured</h2>
${renderDefinitions([
  [
    'Protocol',
    html`<b>${protocol.name}</b>${identity.isV1 ? '' : ' (not v1)'}: ${protocol.stopping ? 'at most ' : ''}${protocol.processesPerItem} fresh processes for every item, ${repetitions.warmup} warm-up and ${repetitions.kept} kept repetitions in each, rounds in random order, reference ${formatReference(reference)}`,
  ],
  [
    variants === undefined ? 'Execution' : 'Execution, where a variant says nothing else',
    `${formatCount(execution.threads, 'thread')}, batch ${execution.batch}, ubatch ${execution.ubatch}, flash attention ${execution.flashAttention}, KV ${execution.kvTypeK}/${execution.kvTypeV}, GPU layers ${execution.gpuLayers}, affinity ${typeof execution.affinity === 'string' ? execution.affinity : execution.affinity.join(', ')}, log ${execution.logSink}`,
  ],
  [
    'Device',
    `${device}: ${fingerprint.deviceDescription}${memory(fingerprint.deviceMemoryBytes)}${fingerprint.driver === null ? '' : `, driver ${fingerprint.driver}`}`,
  ],
  [
    'Host',
    `${fingerprint.cpuModel}, ${fingerprint.cpuCount} CPUs${memory(fingerprint.memoryBytes)}, ${fingerprint.operatingSystem}, kernel ${fingerprint.kernel}`,
  ],
  ...[{ label: variants?.[0]?.backend ?? backend.name, backend }, ...otherBackends].map(
    (one): [string, string] => [
      otherBackends.length === 0 ? 'Backend' : `Backend ${one.label}`,
      describeBackend(one.label, one.backend),
    ],
  ),
  [
    'Others on the device',
    `seen in ${otherUse.seen} trials, not seen in ${otherUse.notSeen}, not visible in ${otherUse.notVisible}`,
  ],
])}
${renderVariants(identity)}
${renderArchitectures(analysis)}
</section>`;
}

function describeBackend(label: string, backend: BackendIdentity): string {
  const { release, commit, sourceTreeHash, patchCount, compiler } = backend;
  return `${label}: llama.cpp ${release ?? 'of unknown release'}, commit ${commit ?? 'unknown'}, source tree ${sourceTreeHash?.slice(0, 12) ?? 'unknown'}, ${patchCount === 1 ? '1 patch' : `${patchCount} patches`}, compiler ${compiler}`;
}

/** Nothing where the plan has no variants. */
function renderVariants({ variants = [] }: Analysis['identity']): Markup {
  if (variants.length === 0) return html``;
  return html`<div class="scroll"><table>
<caption>Variants: measured in the same randomised rounds</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Backend</th><th scope="col">Other than the execution above</th><th scope="col">Identity</th></tr></thead>
<tbody>${variants.map(
    ({ name, backend, changes, sha256 }) =>
      html`<tr><th scope="row">${name}</th><td>${backend}</td><td>${formatChanges(changes)}</td><td><code>${sha256.slice(0, 12)}</code></td></tr>`,
  )}</tbody>
</table></div>`;
}

function formatChanges(changes: VariantIdentity['changes']): string {
  const words = Object.entries(changes).map(
    ([setting, value]) => `${setting} ${formatValue(value)}`,
  );
  return words.length === 0 ? 'nothing' : words.join(', ');
}

function formatValue(value: VariantIdentity['changes'][keyof VariantIdentity['changes']]): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join('+') : String(value);
}

function renderArchitectures({ identity }: Analysis): Markup {
  const isMixed = identity.models.some((model) => !isGenerated(model));
  const architectures = new Map(
    identity.models
      .filter(isGenerated)
      .map(({ architecture }) => [architecture.name, architecture]),
  );
  if (architectures.size === 0) return renderFiles(identity);
  const cells = (architecture: Architecture) => [
    architecture.layerCount,
    architecture.headDim,
    architecture.headCount,
    architecture.kvHeadCount,
    architecture.feedForwardLength,
    architecture.vocabularySize,
  ];
  return html`<div class="scroll"><table>
<caption>Architectures: dense Llama-family decoders with random weights</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Layers</th><th scope="col">Head dim</th><th scope="col">Heads</th><th scope="col">KV heads</th><th scope="col">Feed-forward</th><th scope="col">Vocabulary</th></tr></thead>
<tbody>${[...architectures.values()].map(
    (architecture) =>
      html`<tr><th scope="row">${architecture.name}</th>${cells(architecture).map((cell) => html`<td>${cell.toLocaleString('en-US')}</td>`)}</tr>`,
  )}</tbody>
</table></div>${isMixed ? renderFiles(identity) : ''}`;
}

function formatReference(reference: Protocol['reference']): string {
  if (reference === 'first-condition')
    return 'none of its own: the first item is looked at for drift';
  return `${reference.architecture.name} ${reference.quantization} S${reference.sequenceLength}`;
}

/** Files of other people: their headers' words. */
function renderFiles({ models }: Analysis['identity']): Markup {
  const files = models.filter((model): model is FileModel => !isGenerated(model));
  return html`<div class="scroll"><table>
<caption>Models: files as they are, named by their hash</caption>
<thead><tr><th scope="col">Name</th><th scope="col">File</th><th scope="col">Family</th><th scope="col">Quantization</th><th scope="col">Layers</th><th scope="col">Parameters</th><th scope="col">Bytes</th></tr></thead>
<tbody>${files.map(
    (model) =>
      html`<tr><th scope="row">${model.name}</th>${[model.file, model.family, model.quantization, ...[model.layerCount, model.parameterCount, model.fileBytes].map((count) => count.toLocaleString('en-US'))].map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody>
</table></div>`;
}

/** The hashes that say what was the same and what was not. */
export function renderIdentity({ identity }: Analysis): Markup {
  const { protocol, plan, space, backend, otherBackends = [], variants = [] } = identity;
  const { models, program } = identity;
  const code = (text: string) => html`<code>${text}</code>`;
  const commit = program.gitCommit === null ? '' : `, commit ${program.gitCommit}`;
  return html`<section>
<h2>Identity</h2>
<p>Only numbers with the same baseline key may be pooled or compared: same protocol, ${variants.length === 0 ? 'backend' : 'backends, variants'}, models and device.</p>
${renderDefinitions([
  ['Baseline key', code(identity.baselineKey)],
  [`Protocol ${protocol.name}`, code(protocol.sha256)],
  ['Plan', code(plan.sha256)],
  ...(space === null ? [] : [[`Space ${space.name}`, code(space.sha256)] as [string, Markup]]),
  [`Backend ${backend.name}`, code(backend.sha256)],
  ['Runner', code(backend.runnerSha256)],
  ['llama.cpp sources', code(backend.sourceTreeHash ?? 'unknown')],
  ...otherBackends.flatMap(({ label, backend: other }): [string, Markup][] => [
    [`Backend ${label}`, code(other.sha256)],
    [`Runner of ${label}`, code(other.runnerSha256)],
    [`llama.cpp sources of ${label}`, code(other.sourceTreeHash ?? 'unknown')],
  ]),
  ...variants.map(({ name, sha256 }): [string, Markup] => [`Variant ${name}`, code(sha256)]),
  ['Schedule seed', code(`${plan.scheduleSeed}`)],
  ['Rooflaw', `${program.version}${commit}${program.gitDirty === true ? ', with changes' : ''}`],
  ...models.map((model): [string, Markup] => [
    `Model ${nameOfModel(model)} ${model.quantization}${isGenerated(model) ? `, seed ${model.weightSeed}` : `, ${model.file}`}`,
    code(model.sha256),
  ]),
])}
</section>`;
}

/** The commands that check this report and measure again. */
export function renderRepeat({ name, identity }: Analysis): Markup {
  const files = identity.models.filter((model): model is FileModel => !isGenerated(model));
  const { backend, otherBackends = [], variants = [] } = identity;
  const labels = [...new Set(variants.map((variant) => variant.backend))];
  const needsFolder = backend.name !== 'embedded' || otherBackends.length > 0;
  const options = [
    ...files.map(({ file }) => ` --model ${quoteWord(file)}`),
    ...(needsFolder && labels.length === 0 ? [' --backend FOLDER'] : []),
    ...(needsFolder ? labels.filter((label) => label !== 'embedded') : []).map(
      (label) => ` --backend ${label}=FOLDER`,
    ),
  ];
  const said = [
    ...(files.length < identity.models.length
      ? ['The models are generated again from their seeds and must have the hashes above.']
      : []),
    ...(files.length > 0 ? ['The files that are named must have the hashes above.'] : []),
  ];
  return html`<section>
<h2>How to repeat it</h2>
<p>In the folder that holds <code>campaigns/${name}</code>: check that the ledger is whole, recompute this page from it,
and measure the same plan again under another name.</p>
<pre>rooflaw verify ${name}
rooflaw analyze ${name} --json
rooflaw report ${name}
rooflaw run campaigns/${name}/plan.json --name ${name}-again${options.join('')}</pre>
<p class="small">${said.join(' ')} Program version ${identity.program.version}.</p>
</section>`;
}

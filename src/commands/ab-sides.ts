import type { CampaignRecord } from '../analysis/campaign-record.ts';
import type { AbSide } from '../formats/ab.ts';
import type { Backend } from '../formats/ledger.ts';
import { isGenerated } from '../formats/plan.ts';
import type { Execution } from '../formats/protocol.ts';
import { canonicalJson, identityOf } from '../hash.ts';

/** A side as the ledger holds it. */
export function describeSide(
  { campaign }: Pick<CampaignRecord, 'campaign'>,
  variantName: string,
  label: string,
): AbSide {
  const { plan, backend: first, otherBackends = [] } = campaign;
  const variant = plan.variants!.find(({ name }) => name === variantName)!;
  const condition = plan.conditions.find((one) => one.variant === variantName)!;
  const model = plan.models.find(({ sha256 }) => sha256 === condition.modelSha256)!;
  if (isGenerated(model)) throw new Error('a side is a file, and the plan has a generated model');
  const other = otherBackends.find((one) => one.label === variant.backend);
  return {
    label,
    model: { name: model.name, file: model.file, sha256: model.sha256 },
    backend: { label: variant.backend, ...identify(other?.backend ?? first) },
    execution: variant.execution,
  };
}

function identify({ commit, libraries, runner }: Backend) {
  const files = libraries.map(({ name, sha256 }) => ({ name, sha256 }));
  return { commit, librariesSha256: identityOf(files), runnerSha256: runner.sha256 };
}

interface Sameness {
  same: { what: string; value: string }[];
  different: { what: string; a: string; b: string }[];
}

/** What two sides share, and what not: models and libraries by their hashes, options one by one. */
export function compareSides(a: AbSide, b: AbSide): Sameness {
  const rows = [
    ['model', ...[a, b].map(({ model }) => `${model.file}, sha256 ${model.sha256}`)],
    ['llama.cpp', ...[a, b].map(describeLibraries)],
    ['runner', ...[a, b].map(({ backend }) => `sha256 ${backend.runnerSha256}`)],
  ] as [string, string, string][];
  const isSameModel = a.model.sha256 === b.model.sha256;
  const isSameLibraries = a.backend.librariesSha256 === b.backend.librariesSha256;
  const isSame = [isSameModel, isSameLibraries, a.backend.runnerSha256 === b.backend.runnerSha256];
  const options = listDifferentOptions(a.execution, b.execution);
  return {
    same: [
      ...rows.flatMap(([what, value], at) => (isSame[at] ? [{ what, value }] : [])),
      options.length === 0
        ? { what: 'options', value: `sha256 ${identityOf(a.execution)}` }
        : { what: 'options', value: `all but ${options.map(({ what }) => what).join(', ')}` },
    ],
    different: [
      ...rows.flatMap(([what, ofA, ofB], at) => (isSame[at] ? [] : [{ what, a: ofA, b: ofB }])),
      ...options,
    ],
  };
}

function describeLibraries({ backend }: AbSide): string {
  const { label, commit, librariesSha256 } = backend;
  const of = commit === null ? '' : `, commit ${commit}`;
  return `${label}${of}, libraries ${librariesSha256}`;
}

function listDifferentOptions(a: Execution, b: Execution): Sameness['different'] {
  const members = Object.keys(a) as (keyof Execution)[];
  return members.flatMap((what) => {
    const [ofA, ofB] = [canonicalJson(a[what]), canonicalJson(b[what])];
    return ofA === ofB ? [] : [{ what, a: ofA, b: ofB }];
  });
}

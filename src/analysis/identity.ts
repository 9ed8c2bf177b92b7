import type { BackendIdentity, Identity, VariantIdentity } from '../formats/analysis.ts';
import type { Backend, CampaignEntry } from '../formats/ledger.ts';
import type { Plan } from '../formats/plan.ts';
import type { Execution, Protocol } from '../formats/protocol.ts';
import { canonicalJson, identityOf } from '../hash.ts';
import { formatCount } from '../units.ts';

/** Names of the protocols that are shipped and frozen, by their hash. */
export type FrozenProtocols = ReadonlyMap<string, string>;

/** The llama.cpp that the rules of v1 were frozen with, as its authors published it. */
export const commitOfV1 = '48e985756788b4a6c50933a88e0af1aa8412b68d';

/** How much of a hash is enough for people to tell two apart. */
const shortHashLength = 12;

/** What was measured with what, under which rules: only equals may be pooled. */
export function describeIdentity(campaign: CampaignEntry, frozen: FrozenProtocols): Identity {
  const { plan, backend, fingerprint, device, program, otherBackends } = campaign;
  const protocolSha256 = identityOf(plan.protocol);
  const shippedAs = frozen.get(protocolSha256) ?? null;
  const described = describeBackend(backend);
  const others = otherBackends?.map(({ label, backend: other }) => ({
    label,
    backend: describeBackend(other),
  }));
  const variants = plan.variants && describeVariants(campaign);
  const models = plan.models.map(({ sha256 }) => sha256).sort();
  return {
    label: labelOf(plan, shippedAs, described, others ?? []),
    isV1: shippedAs === 'v1' && !changesRules(plan),
    baselineKey: identityOf({
      protocol: protocolSha256,
      backend: described.sha256,
      models,
      device: { device, fingerprint },
      // each with its backend's build; absent without variants, whose keys are what they were
      ...(variants && {
        variants: Object.fromEntries(variants.map(({ name, sha256 }) => [name, sha256])),
      }),
    }),
    protocol: { name: plan.protocol.name, sha256: protocolSha256, shippedAs },
    plan: { sha256: campaign.planSha256, scheduleSeed: campaign.scheduleSeed },
    space: plan.space,
    backend: described,
    ...(others && { otherBackends: others }),
    ...(variants && { variants }),
    device,
    fingerprint,
    models: plan.models,
    program,
  };
}

function describeBackend(backend: Backend): BackendIdentity {
  return {
    name: backend.name,
    release: backend.release,
    commit: backend.commit,
    sourceTreeHash: backend.sourceTreeHash,
    sha256: identityOf(buildOf(backend)),
    runnerSha256: backend.runner.sha256,
    libraryCount: backend.libraries.length,
    patchCount: backend.patches.length,
    compiler: backend.description.compiler,
  };
}

/** The same build elsewhere is the same backend. */
function buildOf({ name: _name, ...build }: Backend): Omit<Backend, 'name'> {
  return build;
}

function describeVariants(campaign: CampaignEntry): VariantIdentity[] {
  const { variants = [], protocol } = campaign.plan;
  const backends = backendsByLabel(campaign);
  return variants.map(({ name, backend: label, execution }) => {
    const backend = backends.get(label);
    if (backend === undefined) throw new Error(`the ledger has no backend ${label}`);
    return {
      name,
      backend: label,
      sha256: identityOf({ execution, backend: buildOf(backend) }),
      changes: findChanges(protocol.execution, execution),
    };
  });
}

/** The backends of a plan's variants; none of a plan without variants. */
export function backendsByLabel({ plan, backend, otherBackends }: CampaignEntry) {
  const [first] = plan.variants ?? [];
  return new Map<string, Backend>([
    ...(first === undefined ? [] : [[first.backend, backend] as const]),
    ...(otherBackends ?? []).map((other) => [other.label, other.backend] as const),
  ]);
}

/**
 * Settings of `execution` that are not those of `base`, in the order of their names: a plan and the
 * ledger that holds it write them in different ones.
 */
export function findChanges(base: Execution, execution: Execution): Partial<Execution> {
  const settings = Object.keys(execution).sort() as (keyof Execution)[];
  return Object.fromEntries(
    settings.flatMap((setting) =>
      canonicalJson(execution[setting]) === canonicalJson(base[setting])
        ? []
        : [[setting, execution[setting]]],
    ),
  );
}

/** Whether anything is measured otherwise than the protocol says: then its rules are not all kept. */
export function changesRules({ variants = [], conditions, protocol }: Plan): boolean {
  return (
    variants.some(
      ({ execution }) => Object.keys(findChanges(protocol.execution, execution)).length > 0,
    ) ||
    conditions.some(({ depth, decodeSteps }) => depth !== undefined || decodeSteps !== undefined)
  );
}

/** Whether a reported commit, possibly shortened, is the one v1 was frozen with. */
export function isCommitOfV1(commit: string | null): boolean {
  return commit !== null && commit.length >= 7 && commitOfV1.startsWith(commit);
}

function labelOf(
  plan: Plan,
  shippedAs: string | null,
  backend: BackendIdentity,
  others: readonly { label: string; backend: BackendIdentity }[],
): string {
  const { protocol, variants } = plan;
  const name = shippedAs === null ? `"${protocol.name}"` : protocol.name;
  const isChanged = shippedAs !== null && changesRules(plan);
  const rules =
    shippedAs === 'v1' && !isChanged
      ? 'v1 rules'
      : `Not v1: ${name} rules${isChanged ? ' with other settings or work' : ''}`;
  const [first] = variants ?? [];
  const named =
    others.length === 0
      ? `backend ${nameBackend(backend.name, backend)}`
      : `${others.length + 1} backends: ${[
          nameBackend(first?.backend ?? backend.name, backend),
          ...others.map((other) => nameBackend(other.label, other.backend)),
        ].join(', ')}`;
  const count = variants === undefined ? '' : `; ${formatCount(variants.length, 'variant')}`;
  const sinks = new Set(
    variants === undefined
      ? [protocol.execution.logSink]
      : variants.map(({ execution }) => execution.logSink),
  );
  const costs = [...sinks].map((sink) => logCost[sink]);
  return `${rules} on ${named}${count}; ${costs.length === 1 ? costs[0] : `the log differs between variants: ${costs.join(', or ')}`}`;
}

function nameBackend(label: string, backend: BackendIdentity): string {
  const release = backend.release ?? 'release unknown';
  const tree = backend.sourceTreeHash?.slice(0, shortHashLength);
  const source = tree === undefined ? 'commit unknown' : `source tree ${tree}`;
  const commit = backend.commit === null ? source : `commit ${backend.commit}`;
  const hash = backend.sha256.slice(0, shortHashLength);
  return `${label} (llama.cpp ${release}, ${commit}, identity ${hash})`;
}

const logCost: Record<Protocol['execution']['logSink'], string> = {
  file: 'log output cost is included',
  null: 'the log is discarded, so only the cost of writing its text is included',
  off: 'the log is off, so its cost is not included',
};

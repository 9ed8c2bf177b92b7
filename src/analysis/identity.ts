import type { Identity } from '../formats/analysis.ts';
import type { CampaignEntry } from '../formats/ledger.ts';
import type { Protocol } from '../formats/protocol.ts';
import { identityOf } from '../hash.ts';

/** Names of the protocols that are shipped and frozen, by their hash. */
export type FrozenProtocols = ReadonlyMap<string, string>;

/** The llama.cpp that the rules of v1 were frozen with, as its authors published it. */
export const commitOfV1 = '48e985756788b4a6c50933a88e0af1aa8412b68d';

/** How much of a hash is enough for people to tell two apart. */
const shortHashLength = 12;

/** What was measured with what, under which rules: only equals may be pooled. */
export function describeIdentity(campaign: CampaignEntry, frozen: FrozenProtocols): Identity {
  const { plan, backend, fingerprint, device, program } = campaign;
  const protocolSha256 = identityOf(plan.protocol);
  const shippedAs = frozen.get(protocolSha256) ?? null;
  const { name: _name, ...build } = backend; // the same build elsewhere is the same backend
  const backendSha256 = identityOf(build);
  const models = plan.models.map(({ sha256 }) => sha256).sort();
  const described: Identity['backend'] = {
    name: backend.name,
    release: backend.release,
    commit: backend.commit,
    sourceTreeHash: backend.sourceTreeHash,
    sha256: backendSha256,
    runnerSha256: backend.runner.sha256,
    libraryCount: backend.libraries.length,
    patchCount: backend.patches.length,
    compiler: backend.description.compiler,
  };
  return {
    label: labelOf(plan.protocol, shippedAs, described),
    isV1: shippedAs === 'v1',
    baselineKey: identityOf({
      protocol: protocolSha256,
      backend: backendSha256,
      models,
      device: { device, fingerprint },
    }),
    protocol: { name: plan.protocol.name, sha256: protocolSha256, shippedAs },
    plan: { sha256: campaign.planSha256, scheduleSeed: campaign.scheduleSeed },
    space: plan.space,
    backend: described,
    device,
    fingerprint,
    models: plan.models,
    program,
  };
}

/** Whether a reported commit, possibly shortened, is the one v1 was frozen with. */
export function isCommitOfV1(commit: string | null): boolean {
  return commit !== null && commit.length >= 7 && commitOfV1.startsWith(commit);
}

function labelOf(
  protocol: Protocol,
  shippedAs: string | null,
  backend: Identity['backend'],
): string {
  const name = shippedAs === null ? `"${protocol.name}"` : protocol.name;
  const rules = shippedAs === 'v1' ? 'v1 rules' : `Not v1: ${name} rules`;
  const release = backend.release ?? 'release unknown';
  const tree = backend.sourceTreeHash?.slice(0, shortHashLength);
  const source = tree === undefined ? 'commit unknown' : `source tree ${tree}`;
  const commit = backend.commit === null ? source : `commit ${backend.commit}`;
  const hash = backend.sha256.slice(0, shortHashLength);
  const named = `${backend.name} (llama.cpp ${release}, ${commit}, identity ${hash})`;
  return `${rules} on backend ${named}; ${logCost[protocol.execution.logSink]}`;
}

const logCost: Record<Protocol['execution']['logSink'], string> = {
  file: 'log output cost is included',
  null: 'the log is discarded, so only the cost of writing its text is included',
  off: 'the log is off, so its cost is not included',
};

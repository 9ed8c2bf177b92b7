import { deviceIdentity, findDeviceDifferences } from '../campaign/environment.ts';
import { type Fault, RooflawError } from '../errors.ts';
import type { SampleAnalysis } from '../formats/analysis.ts';
import type { Across, Agreement } from '../formats/comparison.ts';
import type { Backend, CampaignEntry, Fingerprint } from '../formats/ledger.ts';
import { toPrintable } from '../printable.ts';
import type { SessionRecord } from './campaign-record.ts';
import { findProtocolDifferences, haveSameRules } from './comparability-protocol.ts';
import {
  compareBackends,
  findExecutionDifferences,
  matchVariants,
} from './comparability-variants.ts';

/** A campaign that is put beside others: its numbers, and what its ledger says of where they came from. */
export interface ComparedCampaign {
  analysis: SampleAnalysis;
  /** null: only a public table is there. */
  origin: { campaign: CampaignEntry; sessions: readonly SessionRecord[] } | null;
}

/** What is said of one thing that two campaigns agree in or not. */
export type Row = Pick<Agreement, 'state' | 'details'>;

const noLedger = 'a public table does not say it';

/** What two campaigns share of everything but the numbers; models are told by whoever matches items. */
export function compareConditions(a: ComparedCampaign, b: ComparedCampaign): Agreement[] {
  return [
    { what: 'protocol', ...compareProtocols(a, b) },
    { what: 'runner', ...fromLedgers(a, b, compareBackends(compareRunners)) },
    { what: 'libraries', ...fromLedgers(a, b, compareBackends(compareLibraries)) },
    { what: 'device', ...compareDevices(a, b) },
    { what: 'specimen', ...compareSpecimens(a, b) },
    { what: 'environment', ...fromLedgers(a, b, compareEnvironments) },
    { what: 'schedule', ...fromLedgers(a, b, compareSchedules) },
    { what: 'rooflaw', ...fromLedgers(a, b, comparePrograms) },
  ];
}

/** The declaration that allows a difference. */
const acrossOf: Partial<Record<Agreement['what'], Across>> = {
  protocol: 'protocol',
  runner: 'backend',
  libraries: 'backend',
  device: 'device',
};

/**
 * Refuses what cannot be put beside one another, unless the difference is declared to be the question.
 * @throws RooflawError `invalid-input` naming each difference
 */
export function refuseDifferences(
  names: readonly [string, string],
  agreement: readonly Agreement[],
  across: readonly Across[],
): void {
  const faults = agreement.flatMap(({ what, state, details }): Fault[] => {
    const declaration = acrossOf[what];
    if (state !== 'different' || declaration === undefined || across.includes(declaration)) {
      return [];
    }
    const hint = `--across ${declaration}, if this difference is the question`;
    return details.map((detail, index) => ({
      where: what,
      what: detail,
      ...(index === details.length - 1 ? { hint } : {}),
    }));
  });
  if (faults.length === 0) return;
  throw new RooflawError(
    'invalid-input',
    `${names[0]} and ${names[1]} cannot be put beside one another`,
    { faults },
  );
}

function rowOf(details: string[]): Row {
  return { state: details.length === 0 ? 'same' : 'different', details };
}

function fromLedgers(
  a: ComparedCampaign,
  b: ComparedCampaign,
  compare: (a: CampaignEntry, b: CampaignEntry) => Row,
): Row {
  if (a.origin === null || b.origin === null) return { state: 'not-known', details: [noLedger] };
  return compare(a.origin.campaign, b.origin.campaign);
}

function compareProtocols(comparedA: ComparedCampaign, comparedB: ComparedCampaign): Row {
  const [a, b] = [comparedA.analysis, comparedB.analysis];
  if (a.protocol === null || b.protocol === null) {
    const [nameA, nameB] = [nameOfProtocol(a), nameOfProtocol(b)];
    if (nameA === nameB)
      return { state: 'not-known', details: [`known by its name only: ${nameA}`] };
    return rowOf([`${nameA} and ${nameB}, of which one is known by its name only`]);
  }
  const shared = matchVariants(comparedA.origin?.campaign, comparedB.origin?.campaign);
  // under variants the protocol's own execution is nobody's
  const second = shared === null ? b.protocol : { ...b.protocol, execution: a.protocol.execution };
  const differences = [
    ...(haveSameRules(a.protocol, second) ? [] : findProtocolDifferences(a.protocol, second)),
    ...findExecutionDifferences(shared ?? []),
  ];
  if (differences.length > 0) return rowOf(differences);
  const [roundsA, roundsB] = [a.protocol.processesPerItem, b.protocol.processesPerItem];
  const details = roundsA === roundsB ? [] : [`the same but for ${roundsA} and ${roundsB} rounds`];
  return { state: 'same', details };
}

export function nameOfProtocol(analysis: SampleAnalysis): string {
  return analysis.evidence === 'ledger' ? analysis.protocol.name : analysis.protocolName;
}

export function nameOfDevice(analysis: SampleAnalysis): string {
  return analysis.evidence === 'ledger'
    ? analysis.identity.fingerprint.deviceDescription
    : analysis.device;
}

function compareRunners(a: Backend, b: Backend): string[] {
  if (a.runner.sha256 === b.runner.sha256) return [];
  const sameSources = a.runnerSourceSha256 === b.runnerSourceSha256;
  const built = sameSources ? 'the same sources, compiled anew' : 'compiled from other sources';
  return [`the runner is another program: ${built}`];
}

function compareLibraries(a: Backend, b: Backend): string[] {
  const filesOf = ({ libraries }: Backend) =>
    new Map(libraries.map(({ name, sha256 }) => [name, sha256]));
  const [first, second] = [filesOf(a), filesOf(b)];
  return [...new Set([...first.keys(), ...second.keys()])].sort().flatMap((name) => {
    if (first.get(name) === second.get(name)) return [];
    const missing = !first.has(name) ? 'A lacks it' : !second.has(name) ? 'B lacks it' : null;
    return [`${toPrintable(name)}: ${missing ?? 'another file'}`];
  });
}

function compareDevices(a: ComparedCampaign, b: ComparedCampaign): Row {
  if (a.origin !== null && b.origin !== null) {
    const [first, second] = [a.origin.campaign.fingerprint, b.origin.campaign.fingerprint];
    return rowOf(
      findDeviceDifferences(first, second).map(
        ({ key, before, after }) => `${key} is ${before} in A and ${after} in B`,
      ),
    );
  }
  const [nameA, nameB] = [nameOfDevice(a.analysis), nameOfDevice(b.analysis)];
  if (nameA === nameB) return { state: 'not-known', details: [`known by its name only: ${nameA}`] };
  return rowOf([`${nameA} in A and ${nameB} in B`]);
}

/** Hashes of the very devices that a campaign's sessions ran on; null where one is not known. */
export function specimensOf({ origin }: ComparedCampaign): Set<string> | null {
  if (origin === null) return null;
  const { campaign, sessions } = origin;
  const found = [campaign.specimenSha256, ...sessions.map((session) => session.specimenSha256)];
  const known = found.filter((specimen) => specimen !== null && specimen !== undefined);
  return known.length === found.length ? new Set(known) : null;
}

function compareSpecimens(a: ComparedCampaign, b: ComparedCampaign): Row {
  const [first, second] = [specimensOf(a), specimensOf(b)];
  if (first === null || second === null) {
    return { state: 'not-known', details: ['which very device it was is not recorded in both'] };
  }
  const all = new Set([...first, ...second]);
  if (all.size === 1) return rowOf([]);
  const isShared = all.size < first.size + second.size;
  return rowOf([
    isShared
      ? `${all.size} devices of the same kind, of which some served in both`
      : 'another device of the same kind',
  ]);
}

function compareEnvironments(a: CampaignEntry, b: CampaignEntry): Row {
  const isDevice = (key: string) => deviceIdentity.some((name) => name === key);
  const keys = Object.keys(a.fingerprint) as (keyof Fingerprint)[];
  const differing = keys.filter(
    (key) => !isDevice(key) && a.fingerprint[key] !== b.fingerprint[key],
  );
  return rowOf(
    differing.map((key) => `${key} is ${a.fingerprint[key]} in A and ${b.fingerprint[key]} in B`),
  );
}

function compareSchedules(a: CampaignEntry, b: CampaignEntry): Row {
  const [seedA, seedB] = [a.scheduleSeed, b.scheduleSeed];
  return rowOf(
    seedA === seedB ? [] : [`the order of measuring has seed ${seedA} in A, ${seedB} in B`],
  );
}

function comparePrograms({ program: a }: CampaignEntry, { program: b }: CampaignEntry): Row {
  const keys = ['version', 'gitCommit', 'gitDirty'] as const;
  const differing = keys.filter((key) => a[key] !== b[key]);
  const details = differing.map((key) => `${key} is ${a[key]} in A and ${b[key]} in B`);
  const isOneCommit = differing.length === 1 && differing[0] === 'gitDirty';
  if (!isOneCommit) return rowOf(details);
  // any file that git does not know makes a checkout dirty, whether or not the program reads it
  return {
    state: 'not-known',
    details: details.map((one) => `${one}: its sources may have been edited`),
  };
}

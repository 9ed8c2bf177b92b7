import type { Backend, CampaignEntry, Fingerprint } from '../formats/ledger.ts';
import { identityOf } from '../hash.ts';

/** What a session measures with. */
export interface Environment {
  device: string;
  fingerprint: Fingerprint;
  backend: Backend;
  /** Those of the plan's variants that run on another one, by label. */
  otherBackends?: { label: string; backend: Backend }[] | undefined;
  program: CampaignEntry['program'];
  /** Hash of what names the very device; null or absent: not known. */
  specimenSha256?: string | null | undefined;
}

/** What tells one device from another: a change of these is another device, not a later day. */
export const deviceIdentity = [
  'device',
  'deviceDescription',
  'driver',
  'cpuModel',
  'cpuCount',
] as const;

/**
 * Sentences about what makes the two another backend or device: data of both must not be pooled,
 * so a campaign is never resumed across them. Empty when they are the same.
 */
export function findIdentityDifferences(then: Environment, now: Environment): string[] {
  const differences = findDeviceDifferences(then.fingerprint, now.fingerprint).map(
    ({ key, before, after }) => `${key} was ${before}, is ${after}`,
  );
  differences.push(...findBackendDifferences(then.backend, now.backend, ''));
  const others = new Map(now.otherBackends?.map(({ label, backend }) => [label, backend]));
  for (const { label, backend } of then.otherBackends ?? []) {
    differences.push(...findBackendDifferences(backend, others.get(label), ` of ${label}`));
  }
  return differences;
}

function findBackendDifferences(then: Backend, now: Backend | undefined, whose: string): string[] {
  const differences: string[] = [];
  if (then.runner.sha256 !== now?.runner.sha256) {
    differences.push(`the runner${whose} is another program`);
  }
  if (identityOf(then.libraries) !== identityOf(now?.libraries ?? [])) {
    differences.push(`the libraries of llama.cpp${whose} are others`);
  }
  return differences;
}

/** Members of the fingerprint that make the two different devices, with both values. */
export function findDeviceDifferences(then: Fingerprint, now: Fingerprint) {
  return deviceIdentity.flatMap((key) =>
    then[key] === now[key] ? [] : [{ key, before: then[key], after: now[key] }],
  );
}

/** Sentences about everything else that changed since the campaign began; recorded, not refused. */
export function findEnvironmentDifferences(then: Environment, now: Environment): string[] {
  const differences: string[] = [];
  for (const key of Object.keys(now.fingerprint) as (keyof Fingerprint)[]) {
    const [before, after] = [then.fingerprint[key], now.fingerprint[key]];
    if (before !== after) differences.push(`${key} was ${before}, is ${after}`);
  }
  for (const key of ['version', 'gitCommit', 'gitDirty'] as const) {
    const [before, after] = [then.program[key], now.program[key]];
    if (before !== after) differences.push(`rooflaw ${key} was ${before}, is ${after}`);
  }
  const [specimenThen, specimenNow] = [then.specimenSha256 ?? null, now.specimenSha256 ?? null];
  if (specimenThen !== null && specimenNow !== null && specimenThen !== specimenNow) {
    differences.push('the device is another one of the same kind');
  }
  return differences;
}

import type { Backend, CampaignEntry, Fingerprint } from '../formats/ledger.ts';
import { identityOf } from '../hash.ts';

/** What a session measures with. */
export interface Environment {
  device: string;
  fingerprint: Fingerprint;
  backend: Backend;
  program: CampaignEntry['program'];
}

/** What tells one device from another: a change of these is another device, not a later day. */
const deviceIdentity = ['device', 'deviceDescription', 'driver', 'cpuModel', 'cpuCount'] as const;

/**
 * Sentences about what makes the two another backend or device: data of both must not be pooled,
 * so a campaign is never resumed across them. Empty when they are the same.
 */
export function findIdentityDifferences(then: Environment, now: Environment): string[] {
  const differences: string[] = [];
  for (const key of deviceIdentity) {
    if (then.fingerprint[key] !== now.fingerprint[key]) {
      differences.push(`${key} was ${then.fingerprint[key]}, is ${now.fingerprint[key]}`);
    }
  }
  if (then.backend.runner.sha256 !== now.backend.runner.sha256) {
    differences.push('the runner is another program');
  }
  const librariesThen = identityOf(then.backend.libraries);
  if (librariesThen !== identityOf(now.backend.libraries)) {
    differences.push('the libraries of llama.cpp are others');
  }
  return differences;
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
  return differences;
}

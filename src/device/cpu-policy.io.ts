import { existsSync } from 'node:fs';
import {
  access,
  constants,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chooseDraftPath } from '../drafts.io.ts';
import { RooflawError } from '../errors.ts';
import { parseText } from '../formats/parse.ts';
import { mostDocumentBytes, readText } from '../read-text.io.ts';
import { syncFolder } from '../sync-folder.io.ts';
import {
  availableValuesOf,
  type PolicyAttribute,
  type PolicyJournal,
  type PolicySetting,
  policyJournalSchema,
  policyName,
} from './cpu-policy.ts';

const systemRoot = '/sys/devices/system/cpu';

/** What an attribute can be switched between, and what it is in each policy; or why it can't. */
export type PolicySwitch = { available: string[]; current: PolicySetting[] } | { withheld: string };

/**
 * Whether an attribute can be switched and put back: each policy's value is written as it is and read
 * again. Nothing changes.
 * @param root where the system's CPUs lie
 */
export async function findPolicySwitch(
  attribute: PolicyAttribute,
  root = systemRoot,
): Promise<PolicySwitch> {
  const policies = await listPolicies(root);
  if (policies.length === 0)
    return {
      withheld: `there is no policy in ${join(root, 'cpufreq')}, as on many virtual machines`,
    };
  try {
    const available = await Promise.all(
      policies.map((policy) =>
        readWords(join(root, 'cpufreq', policy, availableValuesOf[attribute])),
      ),
    );
    const [first = [], ...others] = available;
    const shared = first.filter((value) => others.every((list) => list.includes(value)));
    const current = await readSettings(attribute, policies, root);
    for (const setting of current) {
      const path = pathOf(attribute, setting, root);
      await access(path, constants.W_OK);
      await writeFile(path, setting.value);
    }
    const changed = await findDifferences(attribute, current, root);
    if (changed.length > 0)
      return { withheld: `${changed[0]} does not keep what is written to it` };
    return { available: shared, current };
  } catch (error) {
    const { code = (error as Error).message, path = '' } = error as NodeJS.ErrnoException;
    return { withheld: `${path === '' ? attribute : path}: ${code}` };
  }
}

/** A policy that was switched, until it is put back. */
export interface SwitchedPolicy {
  /** @throws RooflawError `device-unusable` naming what to set by hand; the journal stays then */
  restore(): Promise<void>;
}

/**
 * Writes a value into every policy, after what they had was written down and synchronised.
 * @param journalPath must not exist
 * @throws RooflawError `device-unusable` when the kernel did not take it; it was put back then
 */
export async function switchPolicy(
  attribute: PolicyAttribute,
  value: string,
  journalPath: string,
  root = systemRoot,
): Promise<SwitchedPolicy> {
  const before = await readSettings(attribute, await listPolicies(root), root);
  if (before.length === 0) throw refuse(`there is no CPU policy with ${attribute} here`);
  const journal: PolicyJournal = {
    format: 'rooflaw-cpu-policy-journal',
    formatVersion: 1,
    attribute,
    before,
  };
  if (existsSync(journalPath)) throw refuse(`${journalPath} is of a switch that was not undone`);
  await writeJournal(journalPath, journal);
  const restore = () => restorePolicies(journal, journalPath, root);
  try {
    const wanted = before.map(({ policy }) => ({ policy, value }));
    for (const setting of wanted) await writeFile(pathOf(attribute, setting, root), value);
    const [other] = await findDifferences(attribute, wanted, root);
    if (other !== undefined) throw refuse(`${other} did not take ${value}`);
  } catch (error) {
    await restore();
    if (error instanceof RooflawError) throw error;
    throw refuse(`${attribute} could not be set to ${value}: ${(error as Error).message}`);
  }
  return { restore };
}

/**
 * Puts back what a process that was killed had changed. @returns what was done, in words; null: nothing
 * @throws RooflawError `invalid-input` for a journal that is none, `device-unusable`
 */
export async function restoreFromJournal(
  journalPath: string,
  root = systemRoot,
): Promise<string | null> {
  if (!existsSync(journalPath)) return null;
  const text = readText(journalPath, mostDocumentBytes);
  const journal = parseText(policyJournalSchema, text, journalPath);
  await restorePolicies(journal, journalPath, root);
  const values = [...new Set(journal.before.map(({ value }) => value))].join(', ');
  return `${journal.attribute} was put back to ${values}, which an earlier session had left changed`;
}

async function restorePolicies(
  { attribute, before }: PolicyJournal,
  journalPath: string,
  root: string,
): Promise<void> {
  const left: PolicySetting[] = [];
  for (const setting of before) {
    const path = pathOf(attribute, setting, root);
    if (!existsSync(dirname(path))) continue; // its CPU was switched off meanwhile, and its policy with it
    await writeFile(path, setting.value).catch(() => {});
    if ((await readValue(path).catch(() => null)) !== setting.value) left.push(setting);
  }
  if (left.length > 0) {
    const commands = left.map(
      (setting) => `echo ${setting.value} > ${pathOf(attribute, setting, root)}`,
    );
    throw new RooflawError('device-unusable', `${attribute} could not be put back`, {
      faults: left.map(({ policy, value }) => ({ where: policy, what: `should be ${value}` })),
      hint: `set it by hand, as root: ${commands.join('; ')}`,
    });
  }
  await rm(journalPath, { force: true });
  await syncFolder(dirname(journalPath));
}

async function writeJournal(path: string, journal: PolicyJournal): Promise<void> {
  const draft = chooseDraftPath(path);
  {
    await using file = await open(draft, 'wx', 0o644);
    await file.writeFile(`${JSON.stringify(journal)}\n`);
    await file.sync();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
}

async function listPolicies(root: string): Promise<string[]> {
  const names = await readdir(join(root, 'cpufreq')).catch(() => []);
  return names.filter((name) => policyName.test(name)).sort();
}

const pathOf = (
  attribute: PolicyAttribute,
  { policy }: Pick<PolicySetting, 'policy'>,
  root: string,
) => join(root, 'cpufreq', policy, attribute);

const readValue = async (path: string) => (await readFile(path, 'utf8')).trim();
const readWords = async (path: string) => (await readValue(path)).split(/\s+/);

function readSettings(
  attribute: PolicyAttribute,
  policies: readonly string[],
  root: string,
): Promise<PolicySetting[]> {
  return Promise.all(
    policies.map(async (policy) => ({
      policy,
      value: await readValue(pathOf(attribute, { policy }, root)),
    })),
  );
}

/** Policies that have another value. */
async function findDifferences(
  attribute: PolicyAttribute,
  wanted: readonly PolicySetting[],
  root: string,
): Promise<string[]> {
  const are = await readSettings(
    attribute,
    wanted.map(({ policy }) => policy),
    root,
  );
  return wanted
    .filter(({ value }, index) => are[index]!.value !== value)
    .map(({ policy }) => policy);
}

const refuse = (message: string) =>
  new RooflawError('device-unusable', message, {
    hint: 'the experiment cpu-policy needs root and a CPU whose policy can be put back',
  });

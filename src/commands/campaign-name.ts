import { existsSync } from 'node:fs';
import { folderOfCampaign } from '../campaign/locate.io.ts';
import { RooflawError } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import type { Stopping } from '../formats/protocol.ts';
import { canonicalJson } from '../hash.ts';
import { nameItemOf } from '../llama-bench/item-name.ts';
import { listItems } from '../protocol/schedule.ts';
import { loadRecord } from './load-record.ts';

/** Of a campaign that is about to begin; null: a pilot will choose it. */
export interface FixedCounts {
  processes: number | null;
  warmup: number | null;
  kept: number | null;
}

/** What is about to be measured under a name. */
export interface IntendedCampaign {
  /** Counts that `fixed` leaves open may be anything in it. */
  plan: Plan;
  fixed: FixedCounts;
  /** What is measured first, under a name of its own; null: nothing. */
  pilot: Plan | null;
}

/**
 * Refuses a name under which something else was begun, before anything is measured. The same command
 * again passes, and so resumes. A campaign may have fewer items than its plan here: what failed in its
 * pilot was left out.
 * @throws RooflawError `already-exists` naming the campaign and what differs; `ledger-broken`
 */
export async function refuseForeignCampaign(intended: IntendedCampaign): Promise<void> {
  const { plan, fixed, pilot } = intended;
  const begun = await readBegunPlan(plan.name);
  const begunPilot = pilot === null ? null : await readBegunPlan(pilot.name);
  if (begun !== null) {
    const differences = [
      ...findPlanDifferences(begun, plan, begunPilot !== null),
      ...findCountDifferences(begun, fixed),
    ];
    if (differences.length === 0 && pilot !== null && begunPilot === null) {
      differences.push(
        `its counts are not from a pilot (there is no ${folderOfCampaign(pilot.name).folder}), and another pilot would choose others`,
      );
    }
    throwDifferences(plan.name, differences);
  }
  if (pilot !== null && begunPilot !== null) {
    const { processesPerItem: processes, repetitions } = pilot.protocol;
    throwDifferences(pilot.name, [
      ...findPlanDifferences(begunPilot, pilot, false),
      ...findCountDifferences(begunPilot, { processes, ...repetitions }),
    ]);
  }
}

/** The plan of a campaign that has a ledger. */
async function readBegunPlan(name: string): Promise<Plan | null> {
  const { ledger } = folderOfCampaign(name);
  if (!existsSync(ledger)) return null;
  const { campaign } = await loadRecord(ledger);
  return campaign.plan;
}

function throwDifferences(name: string, differences: readonly string[]): void {
  if (differences.length === 0) return;
  const { folder, ledger } = folderOfCampaign(name);
  throw new RooflawError(
    'already-exists',
    `campaign ${name} is there already (${folder}), and it was begun with another plan`,
    {
      faults: differences.map((what) => ({ where: ledger, what })),
      hint: 'another --name; to go on with that campaign, the command that began it',
    },
  );
}

/** @param mayLack whether the one that was begun may have left something out */
function findPlanDifferences(begun: Plan, wanted: Plan, mayLack: boolean): string[] {
  const differences: string[] = [];
  const compare = (
    what: string,
    [then, now]: readonly [readonly unknown[], readonly unknown[]],
    nameOf: (index: number, isThen: boolean) => string,
  ) => {
    const [before, after] = [then.map(canonicalJson), now.map(canonicalJson)];
    const more = before.flatMap((text, at) => (after.includes(text) ? [] : [nameOf(at, true)]));
    const fewer = after.flatMap((text, at) => (before.includes(text) ? [] : [nameOf(at, false)]));
    if (more.length > 0) differences.push(`it has ${what} ${more.join(', ')}, not named here`);
    if (fewer.length > 0 && !mayLack)
      differences.push(`it has no ${what} ${fewer.join(', ')}, named here`);
  };
  const hashes = (plan: Plan) => plan.models.map(({ sha256 }) => sha256);
  compare('model', [hashes(begun), hashes(wanted)], (at, isThen) => {
    const model = (isThen ? begun : wanted).models[at]!;
    return 'file' in model ? `${model.file} (sha256 ${model.sha256.slice(0, 12)}…)` : model.sha256;
  });
  const [then, now] = [begun.variants ?? [], wanted.variants ?? []];
  compare('variant', [then, now], (at, isThen) => (isThen ? then : now)[at]!.name);
  if (differences.length > 0) return differences;
  differences.push(...findProtocolDifferences(begun, wanted));
  if (differences.length > 0) return differences;
  const [itemsThen, itemsNow] = [nameItems(begun), nameItems(wanted)];
  compare('item', [itemsThen, itemsNow], (at, isThen) => (isThen ? itemsThen : itemsNow)[at]!);
  const others = ['declaration', 'comparisons', 'scheduleSeed'] as const;
  for (const member of others) {
    if (canonicalJson(begun[member] ?? null) === canonicalJson(wanted[member] ?? null)) continue;
    differences.push(`its ${member} is another`);
  }
  return differences;
}

const nameItems = (plan: Plan) => listItems(plan).map(({ item }) => nameItemOf(plan, item));

/** Counts apart. Phases and steps follow from the items, of which some may have been left out. */
function findProtocolDifferences({ protocol: begun }: Plan, { protocol: wanted }: Plan): string[] {
  const isOpen = new Set(['processesPerItem', 'repetitions', 'phases', 'decodeSteps', 'execution']);
  const textOf = (value: unknown) => canonicalJson(value ?? null);
  const members = [
    ...new Set([...Object.keys(begun), ...Object.keys(wanted)]),
  ] as (keyof Plan['protocol'])[];
  const differences = members
    .filter((member) => !isOpen.has(member) && textOf(begun[member]) !== textOf(wanted[member]))
    .flatMap((member) => {
      if (member === 'name') return [`its protocol is ${begun.name}, here it is ${wanted.name}`];
      if (member === 'stopping') return findRuleDifferences(begun.stopping, wanted.stopping);
      return [`its protocol has another ${member}`];
    });
  const settings = Object.keys(wanted.execution) as (keyof typeof wanted.execution)[];
  for (const setting of settings) {
    const [then, now] = [begun.execution[setting], wanted.execution[setting]];
    if (textOf(then) === textOf(now)) continue;
    differences.push(`its ${setting} is ${textOf(then)}, here it is ${textOf(now)}`);
  }
  return differences;
}

/** As the options of `ab` say them. */
function findRuleDifferences(begun: Stopping | undefined, wanted: Stopping | undefined): string[] {
  if (begun === undefined || wanted === undefined) return ['its protocol has another stopping'];
  const options = (['margin', 'equivalence', 'alpha'] as const).flatMap((option) =>
    begun[option] === wanted[option]
      ? []
      : [`it has --${option} ${begun[option] ?? 0}, here it is ${wanted[option] ?? 0}`],
  );
  return options.length === 0 ? ['its protocol has another stopping'] : options;
}

function findCountDifferences({ protocol }: Plan, fixed: FixedCounts): string[] {
  const { processesPerItem: processes, repetitions } = protocol;
  const counts = { processes, ...repetitions };
  return (['processes', 'warmup', 'kept'] as const).flatMap((name) => {
    const wanted = fixed[name];
    if (wanted === null || wanted === counts[name]) return [];
    const option = name === 'processes' && protocol.stopping !== undefined ? 'max-rounds' : name;
    return [`it has --${option} ${counts[name]}, here it is ${wanted}`];
  });
}

import { expect, test } from 'vitest';
import type { CampaignEntry } from '../../src/formats/ledger.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { canonicalJson } from '../../src/hash.ts';
import { createLedgerCheck } from '../../src/ledger/verify.ts';
import { createLedger, type LedgerBuilder, loadUnder } from '../support/ledger-builder.ts';
import { smallPlan } from '../support/small-plan.ts';
import { benchPlan, variant } from '../support/variant-plan.ts';

const times = [900, 200, 100];
const plan = benchPlan([
  variant('t1', { threads: 1, threadsBatch: 1 }),
  variant('t2', { flashAttention: 'on' }),
]);

function faultsOf(
  fill: (ledger: LedgerBuilder) => void,
  used: Plan = plan,
  changes: Partial<CampaignEntry> = {},
): string[] {
  const ledger = createLedger(used, changes);
  fill(ledger);
  const ledgerCheck = createLedgerCheck();
  return ledger.entries.flatMap((entry) =>
    ledgerCheck
      .next(Buffer.from(canonicalJson(entry)))
      .faults.map(({ where, what }) => `${where}: ${what}`),
  );
}

/** Observes a trial under the settings of its variant, or of another one. */
function observe(ledger: LedgerBuilder, trial: number, name?: string): void {
  const wanted = name ?? ledger.schedule[trial]!.item.variant;
  const { execution } = plan.variants!.find((one) => one.name === wanted)!;
  ledger.observe(trial, times, { load: loadUnder(plan, ledger.schedule[trial]!, execution) });
}

test('a whole campaign of two variants is a sound story', () => {
  expect(
    faultsOf((ledger) => {
      for (const { trial } of ledger.schedule) observe(ledger, trial);
      ledger.add({ type: 'end', observed: 12, failed: 0 });
    }),
  ).toEqual([]);
});

test('a trial under the settings of another variant is told', () => {
  const trialOf = (name: string) => (ledger: LedgerBuilder) =>
    ledger.schedule.find(({ item }) => item.variant === name)!.trial;
  const faultsUnder = (planned: string, used: string) =>
    faultsOf((ledger) => {
      const last = trialOf(planned)(ledger);
      for (let trial = 0; trial < last; trial++) observe(ledger, trial);
      observe(ledger, last, used);
    }).map((fault) => fault.replace(/^line \d+: /, ''));
  expect(faultsUnder('t1', 't2')).toEqual([
    'threads was 2, the plan says 1',
    'threadsBatch was 2, the plan says 1',
    'flashAttention was on, the plan says off',
  ]);
  expect(faultsUnder('t2', 't1')).toEqual([
    'threads was 1, the plan says 2',
    'threadsBatch was 1, the plan says 2',
    'flashAttention was off, the plan says on',
  ]);
  expect(faultsUnder('t1', 't1')).toEqual([]);
});

test.each(['variant', 'decodeSteps', 'depth'] as const)(
  'an item with another %s than the schedule’s is told',
  (member) => {
    const other = { variant: 't9', decodeSteps: 99, depth: 99 }[member];
    const faults = faultsOf((ledger) => {
      const { round, position, item, model } = ledger.schedule[0]!;
      ledger.add({
        type: 'intended',
        trial: 0,
        attempt: 0,
        session: 0,
        round,
        position,
        item: { ...item, [member]: other },
        modelSha256: model.sha256,
      });
    });
    expect(faults).toEqual(['line 3: not the item that the schedule puts here']);
  },
);

test('a plan whose variants contradict one another is told with its ledger', () => {
  const twice = { ...plan, variants: [...plan.variants!, plan.variants![0]!] };
  expect(faultsOf(() => {}, twice)).toEqual([
    'line 1: plan.variants[2]: another variant has this name',
  ]);
});

test('each backend that variants run on is described, once, and no other', () => {
  const several = benchPlan([
    variant('a', {}, 'old'),
    variant('b', {}, 'new'),
    variant('c', {}, 'newest'),
  ]);
  const { backend } = createLedger(several).entries[0] as CampaignEntry;
  const described = (...labels: string[]) =>
    faultsOf(() => {}, several, { otherBackends: labels.map((label) => ({ label, backend })) });
  expect(described('new', 'newest')).toEqual([]);
  expect(described('new')).toEqual([
    'line 1: no backend is described for newest of the plan’s variants',
  ]);
  expect(described('new', 'newest', 'else')).toEqual([
    'line 1: a backend is described for else, which no variant names',
  ]);
  expect(described('new', 'newest', 'newest', 'old')).toEqual([
    'line 1: a second backend is described for newest',
    'line 1: a second backend is described for old',
  ]);
  const otherBackends = [{ label: 'new', backend }];
  expect(faultsOf(() => {}, smallPlan(), { otherBackends })).toEqual([
    'line 1: a backend is described for new, which no variant names',
  ]);
});

test('an outcome keeps its own settings where the plan has no variants', () => {
  const used = smallPlan();
  const { execution } = used.protocol;
  const observed = (changes: Partial<typeof execution>) =>
    faultsOf((ledger) => {
      ledger.observe(0, times, { load: loadUnder(used, ledger.schedule[0]!, changes) });
    }, used);
  expect(observed({})).toEqual([]);
  expect(observed({ threadsBatch: 99 })).toEqual([
    `line 4: threadsBatch was 99, the plan says ${execution.threadsBatch}`,
  ]);
});

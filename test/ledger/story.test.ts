import { expect, test } from 'vitest';
import type { LedgerEntry, ObservedEntry } from '../../src/formats/ledger.ts';
import { canonicalJson, sha256Hex } from '../../src/hash.ts';
import { createLedgerCheck } from '../../src/ledger/verify.ts';
import {
  buildPlan,
  createLedger,
  type LedgerBuilder,
  loadUnder,
} from '../support/ledger-builder.ts';

const times = [900, 200, 100, 100];

/** What the check says of a ledger whose chain is whole: only its story can be wrong. */
function faultsOf(fill: (ledger: LedgerBuilder) => void, campaign = {}): string[] {
  const ledger = createLedger(undefined, campaign);
  fill(ledger);
  return check(ledger.entries.map(canonicalJson));
}

function check(lines: readonly string[]): string[] {
  const ledgerCheck = createLedgerCheck();
  return lines.flatMap((line) =>
    ledgerCheck.next(Buffer.from(line)).faults.map(({ where, what }) => `${where}: ${what}`),
  );
}

function observeAll(
  ledger: LedgerBuilder,
  change: (trial: number) => Partial<ObservedEntry> = () => ({}),
) {
  for (const { trial } of ledger.schedule) ledger.observe(trial, times, change(trial));
}

const interrupt = (reason: 'harness-died' | 'stopped-by-user' | 'file-changed') =>
  ({ type: 'interrupted', trial: 0, attempt: 0, reason, costNs: null }) as const;
const torn = (text: string) => ({
  file: `ledger.torn-${sha256Hex(text).slice(0, 12)}`,
  bytes: text.length,
  sha256: sha256Hex(text),
});
const log = (file: string) => ({ file, bytes: 0, sha256: sha256Hex('') });

test('a whole campaign is a sound story', () => {
  expect(
    faultsOf((ledger) => {
      observeAll(ledger);
      ledger.add({ type: 'end', observed: ledger.schedule.length, failed: 0 });
      ledger.add({ type: 'note', text: 'said after the end' });
    }),
  ).toEqual([]);
});

test('a trial that was interrupted is measured again as the next attempt', () => {
  const interrupted = {
    type: 'interrupted',
    trial: 0,
    attempt: 0,
    reason: 'harness-died',
    costNs: null,
  } as const;
  expect(
    faultsOf((ledger) => {
      ledger.intend(0);
      ledger.startSession();
      ledger.add(interrupted);
      ledger.observe(0, times, { attempt: 1 });
    }),
  ).toEqual([]);
  expect(
    faultsOf((ledger) => {
      ledger.intend(0);
      ledger.startSession();
      ledger.add(interrupted);
      ledger.observe(0, times);
    }),
  ).toEqual(['line 6: attempt 0 where attempt 1 was due']);
});

test.each<[string, (ledger: LedgerBuilder) => void, string[]]>([
  [
    'a trial without an outcome',
    (ledger) => {
      ledger.intend(0);
      ledger.observe(1, times);
    },
    [
      'line 4: trial 0 has no outcome before this one',
      'line 4: trial 1 where trial 0 of the schedule was due',
    ],
  ],
  [
    'a trial out of turn',
    (ledger) => ledger.observe(3, times),
    ['line 3: trial 3 where trial 0 of the schedule was due'],
  ],
  [
    'an item that the schedule does not put there',
    (ledger) => {
      const { item, ...place } = ledger.schedule[0]!;
      const other = { ...item, sequenceLength: 77 };
      const { trial, round, position, model } = place;
      ledger.add({
        type: 'intended',
        trial,
        attempt: 0,
        session: 0,
        round,
        position,
        item: other,
        modelSha256: model.sha256,
      });
    },
    ['line 3: not the item that the schedule puts here'],
  ],
  [
    'times that no process could have lived',
    (ledger) => ledger.observe(0, times, { processNs: 100 }),
    ['line 4: its times add up to 2840 ns, its process lived 100 ns'],
  ],
  [
    'an observed trial that never loaded its model',
    (ledger) => ledger.observe(0, times, { load: null }),
    ['line 4: a trial that was observed and never loaded its model'],
  ],
  [
    'a repetition of no time',
    (ledger) => ledger.observe(0, [900, 200, 0, 100]),
    ['line 4: a repetition of 0 ns'],
  ],
  [
    'a repetition too few',
    (ledger) => ledger.observe(0, [900, 200, 100]),
    ['line 4: 3 repetitions where the protocol has 4'],
  ],
  [
    'an outcome of nothing',
    (ledger) => {
      ledger.observe(0, times);
      ledger.add({
        type: 'interrupted',
        trial: 0,
        attempt: 0,
        reason: 'harness-died',
        costNs: null,
      });
    },
    [
      'line 5: the harness died, and no session began after that',
      'line 5: an outcome of trial 0, attempt 0, which was not running',
    ],
  ],
  [
    'a session that skips',
    (ledger) => ledger.startSession({ session: 5 }),
    ['line 3: session 5 where 1 was due'],
  ],
  [
    'an end too early, with wrong counts',
    (ledger) => {
      ledger.observe(0, times);
      ledger.add({ type: 'end', observed: 2, failed: 0 });
    },
    [
      'line 5: the end after 1 of 40 trials',
      'line 5: says 2 observed and 0 failed, there are 1 and 0',
    ],
  ],
  [
    'a trial after the end',
    (ledger) => {
      observeAll(ledger);
      ledger.add({ type: 'end', observed: 40, failed: 0 });
      ledger.intend(0);
    },
    ['line 84: comes after the end', 'line 84: trial 0 where trial 40 of the schedule was due'],
  ],
])('a story with %s is told, with its line', (_what, fill, faults) => {
  expect(faultsOf(fill)).toEqual(faults);
});

test.each<[string, (ledger: LedgerBuilder) => void]>([
  [
    'a crash between two trials, and a torn line',
    (ledger) => {
      ledger.observe(0, times);
      ledger.startSession({ tornLine: torn('x') });
      ledger.observe(1, times);
    },
  ],
  [
    'two crashes at one trial, with a note between them',
    (ledger) => {
      ledger.intend(0);
      ledger.add({ type: 'note', text: 'the power failed' });
      ledger.startSession();
      ledger.startSession();
      ledger.add(interrupt('harness-died'));
      ledger.observe(0, times, { attempt: 1, log: log('000000-1.log') });
    },
  ],
  [
    'a stop',
    (ledger) => {
      ledger.intend(0);
      ledger.add(interrupt('stopped-by-user'));
      ledger.startSession();
      ledger.observe(0, times, { attempt: 1 });
    },
  ],
  [
    'a failure of a runner that said longer times than it lived',
    (ledger) => ledger.fail(0, { repetitions: [{ wallNs: 9001, prepareNs: 1 }] }),
  ],
  [
    'a torn line after the end',
    (ledger) => {
      observeAll(ledger);
      ledger.add({ type: 'end', observed: 40, failed: 0 });
      ledger.startSession({ tornLine: torn('y') });
    },
  ],
])('%s is a sound story', (_what, fill) => {
  expect(faultsOf(fill)).toEqual([]);
});

test.each<[string, (ledger: LedgerBuilder) => void, string]>([
  [
    'a trial that was measured through the end of its session',
    (ledger) => {
      ledger.intend(0);
      ledger.startSession();
      ledger.entries.push(...observedAlone(ledger));
    },
    'line 5: observed after the session of the trial had ended',
  ],
  [
    'a slow trial that is called a crash, and measured again',
    (ledger) => {
      ledger.intend(0);
      ledger.add(interrupt('harness-died'));
      ledger.observe(0, times, { attempt: 1 });
    },
    'line 4: the harness died, and no session began after that',
  ],
  [
    'a slow trial that is called a stop, and measured again',
    (ledger) => {
      ledger.intend(0);
      ledger.add(interrupt('stopped-by-user'));
      ledger.observe(0, times, { attempt: 1 });
    },
    'line 5: a trial in a session that was stopped',
  ],
  [
    'a stop that is told by the session after it',
    (ledger) => {
      ledger.intend(0);
      ledger.startSession();
      ledger.add(interrupt('file-changed'));
    },
    'line 5: interrupted after the session of the trial had ended',
  ],
  [
    'a session after the end',
    (ledger) => {
      observeAll(ledger);
      ledger.add({ type: 'end', observed: 40, failed: 0 });
      ledger.startSession();
    },
    'line 84: a session after the end, which measures nothing',
  ],
  [
    'a torn line in a file elsewhere',
    (ledger) => ledger.startSession({ tornLine: { ...torn('x'), file: '../../etc/passwd' } }),
    'line 3: a torn line in a file that is not named by its hash',
  ],
  [
    'no log',
    (ledger) => ledger.observe(0, times, { log: null }),
    'line 4: a trial that was observed and left no log',
  ],
  [
    'the log of another trial',
    (ledger) => ledger.observe(0, times, { log: log('000001-0.log') }),
    'line 4: its log is 000001-0.log, that of another trial',
  ],
  [
    'a failure by no signal',
    (ledger) => ledger.fail(0, { signal: null }),
    'line 4: ended by a signal, and by none',
  ],
  [
    'a failure by a signal that is none',
    (ledger) => ledger.fail(0, { signal: 'an accident' }),
    'line 4: a signal of no system',
  ],
  [
    'a failure with both a status and a signal',
    (ledger) => ledger.fail(0, { exitStatus: 1 }),
    'line 4: both an exit status and a signal',
  ],
  [
    'a reading of the clock where no step is timed',
    (ledger) => ledger.observe(0, times, { load: { ...loadOf(ledger), clockNs: 20 } }),
    'line 4: readings that belong to the times of steps',
  ],
])('a story with %s is told, with its line', (_what, fill, fault) => {
  expect(faultsOf(fill)).toContain(fault);
});

const loadOf = ({ schedule }: LedgerBuilder) => loadUnder(buildPlan(), schedule[0]!);

/** The outcome of a trial without its beginning, in its place behind what is there. */
function observedAlone(ledger: LedgerBuilder): LedgerEntry[] {
  const other = createLedger();
  other.observe(0, times);
  const last = ledger.entries.at(-1)!;
  const prev = sha256Hex(canonicalJson(last));
  return [{ ...other.entries.at(-1)!, seq: last.seq + 1, prev }];
}

test.each([
  ['contextSize', 5, 'contextSize was 5, the plan needs'],
  ['batch', 1, 'batch was 1, the plan says'],
  ['ubatch', 1, 'ubatch was 1, the plan says'],
  ['layersOffloaded', 99, '99 of'],
  ['cpus', [], 'it might run on no CPU'],
])('a trial that took another %s than its plan is told', (name, value, said) => {
  const faults = faultsOf((ledger) => {
    const load = loadOf(ledger);
    ledger.observe(0, times, { load: { ...load, applied: { ...load.applied, [name]: value } } });
  });
  expect(faults).toEqual([expect.stringContaining(`line 4: ${said}`)]);
});

test('a trial under other settings than the protocol’s is told', () => {
  const faults = faultsOf((ledger) => {
    ledger.observe(0, times);
    const { load } = ledger.entries.at(-1) as ObservedEntry;
    const applied = { ...load!.applied, threads: 64, flashAttention: 'on' as const };
    ledger.observe(1, times, { load: { ...load!, applied } });
  });
  expect(faults).toEqual([
    'line 6: threads was 64, the plan says 2',
    'line 6: flashAttention was on, the plan says off',
  ]);
});

test('a campaign entry whose hashes or device contradict it is told', () => {
  const faults = faultsOf(() => {}, {
    planSha256: '0'.repeat(64),
    device: 'CUDA0',
    scheduleSeed: 99,
  });
  expect(faults).toEqual([
    'line 1: planSha256 is not the plan’s hash',
    'line 1: device is not the fingerprint’s',
    'line 1: scheduleSeed is not the plan’s',
  ]);
});

test('a line that is right but written in another way is told', () => {
  const { entries } = createLedger();
  const lines = entries.map(canonicalJson);
  const spaced = JSON.stringify(entries[1], null, 1).replaceAll('\n', '');
  expect(check([lines[0]!, spaced])).toEqual(['line 2: not in canonical form']);
});

test('a line with a wrong number is told even when its hashes fit', () => {
  const { entries } = createLedger();
  const [first, second] = entries as [LedgerEntry, LedgerEntry];
  const line = canonicalJson(first);
  const wrong = canonicalJson({ ...second, seq: 7, prev: sha256Hex(line) });
  expect(check([line, wrong])).toEqual(['line 2: its "seq" is 7 where 1 was due']);
});

import { expect, test } from 'vitest';
import { buildSequentialLedger } from '../../scripts/tamper/built-ledger.ts';
import {
  chainAnew,
  cutTrials,
  respellLines,
  shaveTimes,
  turnDecisions,
} from '../../scripts/tamper/chain-anew.ts';
import { createJudge } from '../../scripts/tamper/judge.ts';
import {
  changeBytes,
  changeDigits,
  changeToAll,
  createMutation,
  cut,
  insertAndDelete,
  type Mutation,
  moveLines,
} from '../../scripts/tamper/mutation.ts';
import { sampleKinds } from '../../scripts/tamper/sample.ts';
import { type Expectation, type Tally, tally } from '../../scripts/tamper/tally.ts';
import { tamperWithSeal } from '../../scripts/tamper/tamper-seal.ts';
import { identityOf } from '../../src/hash.ts';
import { createRandom } from '../../src/random.ts';
import { buildLedger, buildPlan, buildProtocol } from '../support/ledger-builder.ts';
import { makeFolder } from '../support/ledger-folder.ts';

/** The whole of it is `npm run tamper-test`; here every line and few of its bytes. Repeat with the seed. */
const seed = 'every-byte';

function* every(
  stride: number,
  expectation: Expectation,
  mutations: Iterable<Mutation>,
): Generator<readonly [Expectation, Mutation]> {
  let index = 0;
  for (const mutation of mutations) {
    if (index++ % stride === 0) yield [expectation, mutation];
  }
}

/** Four items; rounds are fixed, so nothing is computed from the times in the ledger. */
function fixedLedger(rounds: number): Buffer {
  const protocol = buildProtocol({ processesPerItem: rounds });
  const plan = buildPlan({ protocol, protocolSha256: identityOf(protocol) });
  return chainAnew(buildLedger(plan, () => [900, 800, 700, 600]));
}

async function count(
  ledger: Buffer,
  changes: Iterable<readonly [Expectation, Mutation]>,
): Promise<Tally> {
  return tally(await createJudge(ledger, makeFolder()), changes);
}

const kindsOf = ({ rows }: Tally) => Object.fromEntries(rows.map((row) => [row.kind, row]));

test('what is changed inside a ledger is named with its line; at its end, the seal shows it', async () => {
  const ledger = fixedLedger(25);
  expect(ledger.toString('utf8').split('\n').length).toBeGreaterThan(200);
  const random = createRandom(seed);
  const counts = await count(
    ledger,
    (function* () {
      yield* every(3, 'named', moveLines(ledger));
      yield* every(9, 'named', cut(ledger, random));
      yield* every(11, 'named', changeBytes(ledger, 4, random));
      yield* every(1, 'named', changeDigits(ledger, random));
      yield* every(5, 'named', changeToAll(ledger, 1, random));
      yield* every(25, 'named', respellLines(ledger));
      yield* every(19, 'named', insertAndDelete(ledger, random));
    })(),
  );
  expect(counts.failures, `seed ${seed}`).toEqual([]);
  const kinds = kindsOf(counts);
  expect(kinds['line removed']!.named).toBeGreaterThan(60);
  expect(kinds['digit changed']).toMatchObject({ tried: 203, withSeal: 203 });
  expect(kinds['number changed, chained anew']!.named).toBeGreaterThan(3);
  expect(kinds['byte changed']!.named).toBeGreaterThan(70);
  expect(kinds['cut between lines']!.incomplete).toBeGreaterThan(20);
});

test('a chain made anew is contradicted by the schedule, the counts and the decisions', async () => {
  const ledger = await buildSequentialLedger(8);
  const counts = await count(
    ledger,
    (function* () {
      yield* every(2, 'found', cutTrials(ledger));
      yield* every(1, 'found', turnDecisions(ledger));
    })(),
  );
  expect(counts.failures).toEqual([]);
  expect(kindsOf(counts)['decision turned round']).toMatchObject({ tried: 8 });
});

test('a time that was changed before the chain was made anew is found by a seal, and by nothing else', async () => {
  const ledger = fixedLedger(10);
  const counts = await count(ledger, every(1, 'with-seal', shaveTimes(ledger)));
  expect(counts.failures).toEqual([]);
  expect(kindsOf(counts)['time of a repetition changed']).toMatchObject({
    tried: 40,
    unseen: 40,
    withSeal: 40,
  });
});

test('the last line changed and the last lines cut off are seen by a seal alone', async () => {
  const ledger = fixedLedger(10);
  const { judge } = await createJudge(ledger, makeFolder());
  const otherTime = Buffer.from(ledger);
  const at = ledger.lastIndexOf('"time":"') + '"time":"20'.length;
  otherTime[at] = '3'.charCodeAt(0);
  expect(await judge(otherTime)).toMatchObject({ alone: 'unseen', isAtEnd: true, withSeal: true });
  const cutOff = ledger.subarray(0, ledger.lastIndexOf('\n', ledger.length - 2) + 1);
  expect(await judge(cutOff)).toMatchObject({ alone: 'incomplete', isAtEnd: true, withSeal: true });
});

test('every byte of a seal is signed, or no part of what it says', async () => {
  const { seal, sealedPoint } = await createJudge(fixedLedger(10), makeFolder());
  const counts = tamperWithSeal(seal, sealedPoint, 7);
  expect(counts.failures).toEqual([]);
  expect(counts.found).toBeGreaterThan(10_000);
  expect(counts.sameSeal).toBeLessThan(100); // white space
});

test('a sample has every kind, so many of each, and leaves out no place for good', () => {
  const change = (kind: string, line: number) =>
    ['named', createMutation(kind, `line ${line}`, () => Buffer.from(kind))] as const;
  const lines = Array.from({ length: 20 }, (_, line) => line);
  const all = lines.flatMap((line) => [
    change('removed', line),
    ...(line < 2 ? [change('decision', line)] : []),
  ]);
  const drawn = lines.map((one) => sampleKinds(all, 5, createRandom(`${seed}/${one}`)));
  for (const sample of drawn) {
    expect(sample.filter(([, { kind }]) => kind === 'removed')).toHaveLength(5);
    expect(sample.filter(([, { kind }]) => kind === 'decision')).toHaveLength(2);
    expect(new Set(sample).size).toBe(7);
    expect(sample).toEqual(all.filter((one) => sample.includes(one)));
  }
  expect(new Set(drawn.flat()).size).toBe(22);
  expect(sampleKinds(all, 5, createRandom(`${seed}/0`))).toEqual(drawn[0]);
});

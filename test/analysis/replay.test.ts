import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { replayCampaign } from '../../src/analysis/replay.ts';
import { loadRecord } from '../../src/commands/load-record.ts';
import { RooflawError } from '../../src/errors.ts';
import { formatItem } from '../../src/formats/architecture.ts';
import type { Protocol } from '../../src/formats/protocol.ts';
import { replaySchema } from '../../src/formats/sequential.ts';
import { hashShippedProtocols, readProtocol } from '../../src/protocol/shipped.io.ts';

const ledger = fileURLToPath(new URL('../../results/h200-pilot-v1/ledger.ndjson', import.meta.url));
const record = await loadRecord(ledger);
const v2 = readProtocol('v2');
const frozen = hashShippedProtocols();

/** v2 with other words in its rule. */
const ruleOf = (changes: Partial<NonNullable<Protocol['stopping']>>): Protocol => ({
  ...v2,
  name: 'other',
  stopping: { ...v2.stopping!, ...changes },
});

test('ten recorded rounds through v2: decided is what is clear even at the tenth, worked out apart', () => {
  const replay = replayCampaign(record, v2, frozen);
  expect(replaySchema.parse(JSON.parse(JSON.stringify(replay)))).toEqual(replay);
  expect(replay).toMatchObject({
    campaign: 'h200-pilot-v1',
    measuredUnder: { name: 'v1', shippedAs: 'v1' },
    replayedUnder: { name: 'v2', shippedAs: 'v2' },
    recorded: { rounds: 10, trials: 240 },
    end: null,
  });
  const { sequential, items } = replay;
  expect(sequential).toMatchObject({
    family: 22,
    earliestRounds: 10, // 2^(1-10) is the first below .05/22
    rounds: 10,
    stopped: false,
    decided: 16,
  });
  const states = sequential.comparisons.map(({ b, state }) => `${formatItem(items[b]!)}: ${state}`);
  expect(states.filter((text) => text.endsWith('open'))).toEqual([
    'mid F16 S512 prefill: open',
    'mid Q4_0 S512 prefill: open',
    'mid F16 S512 decode: open',
    'mid Q8_0 S128 decode: open',
    'mid Q8_0 S1024 decode: open',
    'mid Q8_0 S2048 decode: open',
  ]);
  expect(states.filter((text) => text.endsWith('slower'))).toHaveLength(8);
  const ofMid = sequential.comparisons.find(
    ({ b }) => formatItem(items[b]!) === 'mid F16 S512 decode',
  );
  const interval = { lower: 0.9894604945849759, upper: 1.081810474946311 };
  expect(ofMid).toMatchObject({ ranks: [1, 10], running: interval, current: interval });
});

test('a rule about decode alone is not stretched over prefill, nor the other way', () => {
  const decodeOnly: Protocol = { ...ruleOf({}), phases: ['decode'] };
  expect(() => replayCampaign(record, decodeOnly, frozen)).toThrow(
    'protocol other does not measure prefill, the campaign does',
  );
});

const pair =
  'architecture=small,quantization=F16,phase=decode vs architecture=large,quantization=F16';

test('a rule about declared pairs would have ended it after six rounds', () => {
  const rule = ruleOf({ comparisons: 'declared' });
  const replay = replayCampaign(record, rule, frozen, [pair]);
  expect(replay.sequential).toMatchObject({ family: 1, rounds: 6, decided: 1, stopped: true });
  expect(replay.sequential.comparisons[0]).toMatchObject({ state: 'slower', decidedAfter: 6 });
  expect(replay.end).toMatchObject({ because: 'all-decided', afterRounds: 6, trialsLess: 96 });
  const { hardwareNs } = replay.recorded;
  const share = replay.end!.hardwareNsLess / hardwareNs; // four of ten rounds
  expect(share).toBeGreaterThan(0.35);
  expect(share).toBeLessThan(0.45);
});

test('what was recorded beyond a rule’s maximum is what the rule would have saved', () => {
  const rule = { ...ruleOf({ alpha: 0.5, correction: 'none' }), processesPerItem: 8 };
  const replay = replayCampaign(record, rule, frozen);
  expect(replay.sequential.earliestRounds).toBe(2);
  expect(replay.sequential.rounds).toBe(8);
  expect(replay.end).toMatchObject({ because: 'maximum', afterRounds: 8, trialsLess: 48 });
});

test('the hardware time is that of the whole campaign', () => {
  // processes, reads, waits and harness, added up from the file by hand
  let sum = 0;
  for (const line of readFileSync(ledger, 'utf8').trimEnd().split('\n')) {
    const entry = JSON.parse(line);
    if (entry.type !== 'observed') continue;
    sum += entry.processNs + entry.harnessNs + entry.idleWaitNs;
    sum += entry.deviceBefore.readNs + entry.deviceAfter.readNs;
  }
  expect(replayCampaign(record, v2, frozen).recorded.hardwareNs).toBe(sum);
});

test.each<[string, () => unknown, string]>([
  [
    'a protocol without a stopping rule',
    () => replayCampaign(record, readProtocol('v1'), frozen),
    'protocol v1 has no stopping rule',
  ],
  [
    'a rule about declared comparisons, and none declared',
    () => replayCampaign(record, ruleOf({ comparisons: 'declared' }), frozen),
    'the replay: 1 fault',
  ],
  [
    'comparisons for a rule that does not ask for them',
    () => replayCampaign(record, v2, frozen, [pair]),
    'the replay: 1 fault',
  ],
  [
    'a maximum before which nothing can be decided',
    () => replayCampaign(record, { ...v2, processesPerItem: 9 }, frozen),
    'the replay: 1 fault',
  ],
])('%s is refused', (_what, replay, message) => {
  expect(replay).toThrow(RooflawError);
  expect(replay).toThrow(message);
});

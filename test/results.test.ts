import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { analyzeCampaign } from '../src/analysis/analyze.ts';
import { loadRecord } from '../src/commands/load-record.ts';
import { sha256Hex } from '../src/hash.ts';
import { verifyLedger } from '../src/ledger/read.io.ts';
import { hashShippedProtocols } from '../src/protocol/shipped.io.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../results/${name}`, import.meta.url));
const ledger = fileOf('h200-pilot-v1/ledger.ndjson');

test.each([
  ['h200-pilot-v1', 483],
  ['h200-pilot-v1-b', 486],
])(
  'the ledger of %s is sound, and its last line is the one that is written down',
  async (name, lines) => {
    const { faults, tornBytes, head } = await verifyLedger(fileOf(`${name}/ledger.ndjson`));
    expect({ faults, tornBytes, lines: head.length }).toEqual({ faults: [], tornBytes: 0, lines });
    expect(readFileSync(fileOf('README.md'), 'utf8')).toContain(head.sha256);
  },
);

test('the published campaign gives the values that were worked out apart, in fractions', async () => {
  const record = await loadRecord(ledger);
  const { items, identity, progress } = analyzeCampaign(record, hashShippedProtocols());
  expect(identity.isV1).toBe(true);
  expect(progress).toMatchObject({ observed: 240, failed: 0 });
  const find = (architecture: string, quantization: string, phase: string) =>
    items.find(
      (item) =>
        item.architecture === architecture &&
        item.quantization === quantization &&
        item.sequenceLength === 512 &&
        item.phase === phase,
    );
  expect(find('mid', 'F16', 'prefill')).toMatchObject({
    n: 10,
    representativeNs: 14018323.3,
    interval: { lowerNs: 13132544.6, upperNs: 15653002.2, coverage: 0.978515625, ranks: [2, 9] },
    cv: { value: expect.closeTo(0.1269167280966083, 14), ddof: 1 },
    relativeRange: expect.closeTo(0.45161673507701167, 14),
    stable: false,
    tail: { maxOverMedian: expect.closeTo(1.3776136123212397, 14), slowCount: 2 },
  });
  expect(find('large', 'Q4_0', 'decode')).toMatchObject({
    representativeNs: 91343576.8,
    interval: { lowerNs: 90659378.8, upperNs: 91823786 },
    relativeRange: expect.closeTo(0.015736460628723706, 14),
    stable: true,
  });
});

test('the published tables of h200-sizes-v2 are those whose hashes stand beside them', () => {
  const sums = readFileSync(fileOf('h200-sizes-v2/SHA256SUMS'), 'utf8');
  for (const file of ['trials.csv', 'repetitions.csv', 'plan.json', 'protocol.json']) {
    const hash = sha256Hex(readFileSync(fileOf(`h200-sizes-v2/${file}`)));
    expect(sums).toContain(`${hash}  ${file}`);
  }
  const trials = readFileSync(fileOf('h200-sizes-v2/trials.csv'), 'utf8').trimEnd().split('\n');
  expect(trials).toHaveLength(541);
});

test('protocol v2 decided what it is said to have decided on an H200', () => {
  const { sequential } = JSON.parse(readFileSync(fileOf('h200-sizes-v2/analysis.json'), 'utf8'));
  const rounds = sequential.comparisons.map(
    ({ decidedAfter }: { decidedAfter: number | null }) => decidedAfter,
  );
  expect(rounds.filter((round: number | null) => round === 10)).toHaveLength(12);
  expect(rounds.filter((round: number | null) => round === 20)).toHaveLength(1);
  expect(rounds.filter((round: number | null) => round === null)).toHaveLength(3);
});

import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseText } from '../../src/formats/parse.ts';
import { type SealStatement, sealFileSchema } from '../../src/formats/seal.ts';
import { encodePublicKey, isSignedByItsKey, signSeal } from '../../src/ledger/seal-signature.io.ts';
import { parsePlan } from '../../src/protocol/parse-plan.ts';
import { readProtocol } from '../../src/protocol/shipped.io.ts';
import { parseSpace } from '../../src/space/parse-space.ts';
import { readAllShipped, readShipped } from './shipped-text.ts';
import { type Target, toBytes, toText } from './target.ts';

const badItem = '{"modelSha256":1},';

export const jsonTargets: readonly Target[] = [
  {
    name: 'plan',
    kind: 'json',
    corpus: () => [
      toBytes(readShipped('results/h200-pilot-v1/plan.json')),
      toBytes(readShipped('results/h200-sizes-v2/plan.json')),
    ],
    words: ['{"models":[', '{"conditions":[', '"variants":[', '"comparisons":[', badItem],
    read: (input) => parsePlan(toText(input), 'plan').name,
  },
  {
    name: 'protocol',
    kind: 'json',
    corpus: () => readAllShipped('protocols'),
    words: ['"affinity":[', '"phases":[', '"stopping":{', '"reference":'],
    read(input, folder) {
      const path = join(folder, 'protocol.json');
      writeFileSync(path, input);
      return readProtocol(path).name;
    },
  },
  {
    name: 'space',
    kind: 'json',
    corpus: () => readAllShipped('spaces'),
    words: ['{"architectures":[', '{"conditions":[', '"design":{', badItem],
    read: (input) => parseSpace(toText(input), 'space').name,
  },
  {
    name: 'seal',
    kind: 'json',
    corpus: () => [toBytes(JSON.stringify([buildSeal(), buildSeal()]))],
    words: ['"publicKey":"', '"signature":"', '[{}', '{},'],
    read: (input) =>
      parseText(sealFileSchema, toText(input), 'seal.json').map(isSignedByItsKey).join(),
  },
];

function buildSeal() {
  const { privateKey } = generateKeyPairSync('ed25519');
  const statement: SealStatement = {
    format: 'rooflaw-seal',
    formatVersion: 1,
    campaign: 'pocket',
    lines: 483,
    bytes: 676_994,
    lastLineSha256: 'a'.repeat(64),
    sealedAt: '2026-01-01T00:00:00.000Z',
    publicKey: encodePublicKey(privateKey),
  };
  return signSeal(statement, privateKey);
}

import { closeSync, ftruncateSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitWords } from '../../src/commands/ab-arguments.ts';
import { readGateRequest } from '../../src/commands/gate-request.ts';
import { recallHash } from '../../src/gguf/hash-cache.io.ts';
import { layoutModel } from '../../src/gguf/layout.ts';
import { openModelFile } from '../../src/gguf/open-model-file.io.ts';
import { canonicalJson, identityOf } from '../../src/hash.ts';
import { parseBenchOptions } from '../../src/llama-bench/options/parse.ts';
import { toPrintable } from '../../src/printable.ts';
import { type Target, toBytes, toText } from './target.ts';

const architecture = {
  name: 'tiny',
  headDim: 32,
  headCount: 2,
  kvHeadCount: 1,
  feedForwardLength: 64,
  layerCount: 2,
  vocabularySize: 128,
};
const quantizations = ['F16', 'Q8_0', 'Q4_0'] as const;
const options = ['-p', '-n', '-d', '-t', '-b', '-ub', '-C', '-fa', '-ngl', '-r', '--budget', '-m'];

/** A model's header; the file is made as long as it says, so that its tensors are there. */
const layouts = quantizations.map((quantization) => layoutModel(architecture, quantization, 1));
const fileBytes = Math.max(...layouts.map((layout) => layout.fileBytes));

export const wordTargets: readonly Target[] = [
  {
    name: 'gguf-header',
    kind: 'bytes',
    corpus: () => layouts.map(({ header }) => header),
    words: [
      ...['GGUF', 'llama', 'split.count', 'split.no', 'general.architecture', 'blk.0.'],
      ...['\u0009\u0000\u0000\u0000', '\u0008\u0000\u0000\u0000', 'llama.block_count'],
    ],
    async read(input, folder) {
      const path = join(folder, 'x-00001-of-00003.gguf');
      writeFileSync(path, input);
      const file = openSync(path, 'r+');
      ftruncateSync(file, Math.max(input.length, fileBytes));
      closeSync(file);
      const notChecked: string[] = [];
      const facts = await openModelFile(path, { onNotChecked: (one) => notChecked.push(one) });
      if (facts.paths.some((one) => !one.startsWith(`${folder}/`)))
        throw new Error('left its folder');
      return toPrintable(`${facts.title} ${facts.quantization} ${notChecked.join()}`);
    },
  },
  {
    name: 'hash-cache',
    kind: 'json',
    corpus: () => [toBytes(JSON.stringify({ device: '1', inode: '2', sha256: 'a'.repeat(64) }))],
    words: ['"sha256":', '"device":'],
    async read(input, folder) {
      const stats = statSync(folder, { bigint: true });
      const { dev, ino, size, mtimeNs, ctimeNs } = stats;
      const state = {
        ...{ device: String(dev), inode: String(ino), bytes: String(size) },
        ...{ modifiedNs: String(mtimeNs), changedNs: String(ctimeNs) },
      };
      const cache = join(folder);
      writeFileSync(join(cache, `${identityOf(state)}.json`), input);
      const sha256 = await recallHash(cache, stats);
      if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) throw new Error('no hash');
      return sha256 ?? 'unknown';
    },
  },
  {
    name: 'command-line',
    kind: 'text',
    corpus: () => [toBytes('-m a.gguf -p 512,1024 -n 64-128*2 -t 2 -C 0xff -fa 0,1 -r 5')],
    words: [...options, '1-1000000', '1-1000000+1', '1-512', '0xffffffff', ',', '--'],
    read(input) {
      const words = toText(input).split(' ');
      const request = parseBenchOptions(words, { threads: 2, fileExists: () => false });
      canonicalJson({ ...request });
      return request.notes.map(toPrintable).join('\n');
    },
  },
  {
    name: 'side-options',
    kind: 'text',
    corpus: () => [toBytes('-t 2 -fa 1 -ctk q8_0'), toBytes('-b 512 \'-ub\' "256"')],
    words: [...options, "'", '"', '\\', '--a', '--b', '-t 1-512', '1,'],
    read(input) {
      const text = toText(input);
      splitWords(text);
      const words = ['-m', 'a.gguf', '--a', text, '--b', '-t 1', '--max-slowdown', '3%'];
      const request = readGateRequest(words, []);
      return toPrintable([...request.notes, request.a.label].join(' '));
    },
  },
];

import { createFolderHider } from '../../src/campaign/hide-folders.ts';
import { sha256Hex } from '../../src/hash.ts';
import { toPrintable } from '../../src/printable.ts';
import { checkFolder } from '../../src/publication/check-folder.ts';
import type { FolderFiles } from '../../src/publication/check-sums.ts';
import type { Identifier } from '../../src/publication/find-identifiers.ts';
import { describeFinding, findIdentifiers } from '../../src/publication/find-identifiers.ts';
import { describeCourse } from '../../src/report/course-words.ts';
import { firstLines, readShipped } from './shipped-text.ts';
import { type InputKind, type Target, toBytes, toText } from './target.ts';

const folder = 'results/h200-sizes-v2';
const others = ['protocol.json', 'plan.json', 'datapackage.json', 'croissant.json', 'README.md'];

/** The published folder with short tables, one file of it being the input, and hashes that fit. */
function readFolderWith(name: string, input: Uint8Array): string {
  const files = new Map<string, Uint8Array>(
    others.map((other) => [other, toBytes(readShipped(`${folder}/${other}`))]),
  );
  files.set('trials.csv', firstLines(`${folder}/trials.csv`, 20));
  files.set(name, input);
  const sums = [...files].map(([file, bytes]) => `${sha256Hex(bytes)}  ${file}\n`).join('');
  if (name !== 'SHA256SUMS') files.set('SHA256SUMS', toBytes(sums));
  const { faults } = checkFolder(files as FolderFiles, { programVersion: '0.1.0', describeCourse });
  return faults.map(({ where, what }) => toPrintable(`${where}: ${what}`)).join('\n');
}

const fileTarget = (name: string, kind: InputKind, words: readonly string[]): Target => ({
  name: `published-${name.toLowerCase()}`,
  kind,
  corpus: () => [toBytes(readShipped(`${folder}/${name}`))],
  words,
  read: (input) => readFolderWith(name, input),
});

const known: readonly Identifier[] = [
  { kind: 'user name', text: 'alice' },
  { kind: 'user name', text: 'root' },
  { kind: 'host name', text: 'bench-box' },
];

const pathWords = [
  '/home/alice/',
  "'",
  '/a b c d e',
  '\u2026/',
  'C:\\Users\\',
  '$HOME/',
  '1.',
  'aa:',
];

export const publicationTargets: readonly Target[] = [
  fileTarget('datapackage.json', 'json', ['"resources":[', '{"path":"../../x"},']),
  fileTarget('croissant.json', 'json', ['"distribution":[', '"@id":', '{"@type":1},']),
  fileTarget('analysis.json', 'json', ['"items":[', '"trials":[', '{"item":1},']),
  fileTarget('SHA256SUMS', 'text', ['\n', `${'a'.repeat(64)}  ../../x\n`, `${'a'.repeat(64)}  `]),
  {
    name: 'identifiers',
    kind: 'text',
    corpus: () => [toBytes(readShipped(`${folder}/README.md`))],
    words: [...pathWords, 'serial', 'SN ', '1:', 'a@', '00', '-', '/../', 'home/', 'a.b'],
    read: (input) =>
      findIdentifiers({ name: 'README.md', text: toText(input) }, known, [])
        .map(describeFinding)
        .map(({ where, what }) => toPrintable(`${where}: ${what}`))
        .join('\n'),
  },
  {
    name: 'hide-folders',
    kind: 'text',
    corpus: () => [toBytes('error: cannot open "/home/alice/models/a b/x.gguf" (C:\\x\\y)\n')],
    words: pathWords,
    read(input) {
      const hide = createFolderHider({
        files: ['/home/alice/models/x.gguf'],
        folders: ['/home/alice'],
      });
      const hidden = hide(toText(input));
      if (hidden.includes('/home/alice/models/x.gguf')) throw new Error('a path was left');
      return toPrintable(hidden);
    },
  },
];

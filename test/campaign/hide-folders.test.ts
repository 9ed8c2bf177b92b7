import { expect, test } from 'vitest';
import { createFolderHider, hideFolders } from '../../src/campaign/hide-folders.ts';

test.each([
  ['model-not-loaded: /home/ann/.cache/rooflaw/m.gguf: bad', 'model-not-loaded: …/m.gguf: bad'],
  ['at "C:\\Users\\ann\\m.gguf"', 'at "…/m.gguf"'],
  ['from /usr/lib/libcuda.so.1, /a/b', 'from …/libcuda.so.1, …/b'],
  [
    'offloaded 3/4 layers, 1.5 MB/s, and/or, https://example.org',
    'offloaded 3/4 layers, 1.5 MB/s, and/or, https://example.org',
  ],
  ['model-not-loaded: /tmp/x/alice smith/my models/bad x.gguf', 'model-not-loaded: …/bad x.gguf'],
  ["open '/home/o'brien/m.gguf'", "open '…/m.gguf'"],
  ['in "/a b, c/d: e/f g.gguf": 3/4', 'in "…/f g.gguf": 3/4'],
  ['/usr/lib/libggml.so loaded 3/4 layers', '…/libggml.so loaded 3/4 layers'],
  ['/single stays', '/single stays'],
  ['', ''],
])('%j becomes %j', (text, hidden) => {
  expect(hideFolders(text)).toBe(hidden);
});

test.each([
  ['m: /x/alice, "q" (s)/my models/bad x.gguf: no', 'm: …/bad x.gguf: no'],
  ['m: /x/alice, "q" (s)/other/b.gguf', 'm: …/b.gguf'],
  ['"/x/alice, \\"q\\" (s)/my models/b.gguf"', '"…/b.gguf"'],
  ['../bob; jones/m.gguf, ../bob; jones/m2.gguf', '…/m.gguf, …/m2.gguf'],
  ['/home/al; ice is not writable', '… is not writable'],
  ['/opt/a-b; c/e.c:1', '…/e.c:1'],
  ['/home/al; ice/e.c:1', '…/e.c:1'],
  ['/home/al; ices/b', '…/al; ices/b'],
  ['a/b and models', 'a/b and models'],
])('with known paths %j becomes %j', (text, hidden) => {
  const hide = createFolderHider({
    files: ['/x/alice, "q" (s)/my models/bad x.gguf', '../bob; jones/m.gguf', 'a/m.gguf'],
    folders: ['/home/al; ice', '/opt/a-b; c', '/'],
  });
  expect(hide(text)).toBe(hidden);
});

test('it ends soon, whatever the text', () => {
  const long = '/a'.repeat(100_000);
  expect(hideFolders(long)).toBe('…/a');
  expect(hideFolders('"/a b c '.repeat(20_000))).toHaveLength(160_000);
});

import { expect, test } from 'vitest';
import { hideFolders } from '../../src/campaign/hide-folders.ts';

test.each([
  ['model-not-loaded: /home/ann/.cache/rooflaw/m.gguf: bad', 'model-not-loaded: …/m.gguf: bad'],
  ['at "C:\\Users\\ann\\m.gguf"', 'at "…/m.gguf"'],
  ['from /usr/lib/libcuda.so.1, /a/b', 'from …/libcuda.so.1, …/b'],
  [
    'offloaded 3/4 layers, 1.5 MB/s, and/or, https://example.org',
    'offloaded 3/4 layers, 1.5 MB/s, and/or, https://example.org',
  ],
  ['/single stays', '/single stays'],
  ['', ''],
])('%j becomes %j', (text, hidden) => {
  expect(hideFolders(text)).toBe(hidden);
});

test('it ends soon, whatever the text', () => {
  const long = '/a'.repeat(100_000);
  expect(hideFolders(long)).toBe('…/a');
});

import { expect, test } from 'vitest';
import { importText, readOutput } from './bench-output.ts';

const textOf = (name: string) => new TextDecoder().decode(readOutput(name));

function encodeUtf16(text: string, options: { mark: boolean; bigEndian: boolean }): Uint8Array {
  const bytes = Buffer.from(options.mark ? `\ufeff${text}` : text, 'utf16le');
  return options.bigEndian ? bytes.swap16() : bytes;
}

const names = ['a.json', 'b.jsonl', 'a.csv', 'b.sql', 'c.md'];

/** What must not depend on the encoding. */
const contentOf = ({ conditions, runs, losses }: ReturnType<typeof importText>) => ({
  conditions,
  runs,
  losses,
});

test.each(names)('%s with a byte order mark and CRLF reads the same', (name) => {
  const windows = new TextEncoder().encode(`\ufeff${textOf(name).replaceAll('\n', '\r\n')}`);
  expect(contentOf(importText(windows))).toEqual(contentOf(importText(readOutput(name))));
});

test.each(names)('%s as Windows PowerShell redirects it, in UTF-16, reads the same', (name) => {
  const text = textOf(name).replaceAll('\n', '\r\n');
  const expected = contentOf(importText(readOutput(name)));
  for (const mark of [true, false]) {
    for (const bigEndian of [false, true]) {
      const result = importText(encodeUtf16(text, { mark, bigEndian }));
      expect(contentOf(result)).toEqual(expected);
      expect(result.source.encoding).toBe(bigEndian ? 'utf-16be' : 'utf-16le');
    }
  }
});

test('a byte order mark tells UTF-16 that begins with other than Latin letters', () => {
  const text = `${'模型加载完成'.repeat(60)}\n{"n_prompt": 1, "n_gen": 0, "avg_ts": 2.5}\n`;
  for (const bigEndian of [false, true]) {
    expect(importText(encodeUtf16(text, { mark: true, bigEndian })).runs).toHaveLength(1);
  }
});

test('what is lost is counted in bytes of the file', () => {
  const text = '{"n_prompt": 1, "n_gen": 0, "avg_ts": 2.5}\n{"model": "größe';
  expect(importText(text).losses[0]?.bytes).toBe(18);
  const utf16 = encodeUtf16(text, { mark: true, bigEndian: false });
  expect(importText(utf16).losses[0]?.bytes).toBe(32);
});

test.each(['±', '+-', '+/-', 'Â±', '┬▒', '\ufffd'])(
  'the sign between rate and deviation may have become %s',
  (sign) => {
    const { runs } = importText(textOf('c.md').replaceAll('±', sign));
    expect(runs[0]?.printed.stddev_ts?.value).toBe(2215.85);
  },
);

test('bytes that are no UTF-8 are told', () => {
  const text = '{"n_prompt": 1, "n_gen": 0, "avg_ts": 2.5, "model_filename": "gr?sse"}';
  const bytes = new TextEncoder().encode(text);
  bytes[bytes.lastIndexOf('?'.charCodeAt(0))] = 0xf6;
  const { findings, conditions } = importText(bytes);
  expect(findings[0]?.code).toBe('invalid-text');
  expect(conditions[0]?.fields.model_filename).toBe('gr\ufffdsse');
});

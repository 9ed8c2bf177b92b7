/**
 * Pieces of the JavaScript that `compileReader` generates. Each reads one kind of value at `at` from
 * `bytes`, of which `text` is the same, and moves `at` behind it, or returns `no`.
 */

/** Character codes as the generated text has them. */
export const codeOf = (character: string) => String(character.charCodeAt(0));
const printable = 'c >= 32 && c <= 126';
/** What canonical JSON writes behind a backslash, except \u. */
const escapable = Array.from('"\\bfnrt', (letter) => `c === ${codeOf(letter)}`).join(' || ');
/** Integers of so many digits are exact as doubles. */
const mostExactDigits = 15;
/** Of -1.2345678901234567e+300. */
const mostCharacters = 24;

/** A condition: the text stands at this place. Of ASCII only: another letter has several bytes. */
export function matches(text: string, place = 'at'): string {
  if (/[^ -~]/.test(text)) return 'false';
  return Array.from(text, (letter, i) => `bytes[${place} + ${i}] === ${codeOf(letter)}`).join(
    ' && ',
  );
}

export const expect = (character: string) =>
  `if (bytes[at] !== ${codeOf(character)}) return no; at++;`;

/** V8 copies a slice of so many characters; a longer one would keep the whole line in memory. */
const mostCopied = 12;

/** Leaves the string in `value`: printable ASCII with the escapes that need no digits. */
export const readString = `
  if (bytes[at] !== ${codeOf('"')}) return no;
  let end = at + 1, isEscaped = false, c = bytes[end];
  while (c !== ${codeOf('"')}) {
    if (!(${printable})) return no;
    if (c === ${codeOf('\\')}) { isEscaped = true; c = bytes[++end]; if (!(${escapable})) return no; }
    c = bytes[++end];
  }
  const value = isEscaped ? JSON.parse(text.slice(at, end + 1))
    : end - at <= ${mostCopied} ? text.slice(at + 1, end) : bytes.latin1Slice(at + 1, end);
  at = end + 1;`;

/** Goes over digits, and says whether they are an integer from 0 on that ends here. */
const readDigits = `
  const start = at;
  let value = 0, c = bytes[at];
  while (c >= ${codeOf('0')} && c <= ${codeOf('9')}) { value = value * 10 + c - ${codeOf('0')}; c = bytes[++at]; }
  const digits = at - start;
  const endsHere = c === ${codeOf(',')} || c === ${codeOf('}')} || c === ${codeOf(']')};
  const isInteger = endsHere && digits > 0 && digits <= ${mostExactDigits} &&
    (digits === 1 || bytes[start] !== ${codeOf('0')});`;

export const readInteger = `${readDigits} if (!isInteger) return no;`;

/** As ECMAScript writes it: it is written again to see that. */
export const readNumber = `${readDigits}
  if (!isInteger) {
    while (at - start <= ${mostCharacters} && c !== ${codeOf(',')} && c !== ${codeOf('}')} && c !== ${codeOf(']')}) c = bytes[++at];
    const digits = text.slice(start, at);
    value = Number(digits);
    if (!Number.isFinite(value) || String(value) !== digits) return no;
  }`;

export function writeLiterals(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  const tests = texts.map(
    (text) => `if (${matches(text)}) { at += ${text.length}; return ${text}; }`,
  );
  return `${tests.join('\n')} return no;`;
}

export function writeUnion(options: readonly string[]): string {
  const tries = options.map(
    (read) => `value = ${read}(); if (value !== no) return value; at = start;`,
  );
  return `const start = at; let value; ${tries.join('\n')} return no;`;
}

export function writeArray(read: string): string {
  return `${expect('[')} const array = [];
    if (bytes[at] === ${codeOf(']')}) { at++; return array; }
    for (;;) {
      const value = ${read}(); if (value === no) return no;
      array.push(value);
      const c = bytes[at++];
      if (c === ${codeOf(']')}) return array;
      if (c !== ${codeOf(',')}) return no;
    }`;
}

/** Keys in order: for ASCII, the order of UTF-16 is that of JavaScript's `<`. */
export function writeRecord(read: string): string {
  return `${expect('{')} const object = {};
    if (bytes[at] === ${codeOf('}')}) { at++; return object; }
    for (let last = null; ; ) {
      const key = readKey(); if (key === no) return no;
      if (key === '__proto__' || (last !== null && key <= last)) return no;
      ${expect(':')} last = key;
      const value = ${read}(); if (value === no) return no;
      object[key] = value;
      const c = bytes[at++];
      if (c === ${codeOf('}')}) return object;
      if (c !== ${codeOf(',')}) return no;
    }`;
}

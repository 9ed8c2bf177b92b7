/** Terminal escapes, C1 controls, and characters that turn text around or end a line. */
export const unprintable = [
  '\u001b[31mred',
  '\u001b]0;title\u0007',
  '\u009b2J',
  '\u202egnp.exe',
  '\u2028',
  '\u007f',
  '\u0000',
  '\r',
];

/** Names that a careless program finds in every object. */
export const inherited = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

export const paths = ['..', '.', '../../etc/passwd', '/etc/passwd', 'C:\\con', 'con', '~', '//x/y'];

export const numbers = [
  ...['0', '-0', '-1', '1e308', '1e309', '-1e309', '9007199254740993', '4294967296', '1e-400'],
  ...['18446744073709551616', '0x10', '1_000', 'NaN', 'Infinity', '9'.repeat(400), '1.5', '00'],
];

export const strings = [
  '',
  ' ',
  '$(touch pwned)',
  '\ud800',
  '\ufeff',
  'é'.repeat(300),
  '%s%n',
  '😀',
];

/** What any input may hold anywhere. */
export const oddWords: readonly string[] = [
  ...unprintable,
  ...inherited,
  ...paths,
  ...numbers,
  ...strings,
];

import fc from 'fast-check';

/** A name that runs a script wherever it is taken for markup. */
export const markup = '<img src=x onerror=alert(1)>';

/** What somebody may write into a name: markup, quotes, controls, marks of Markdown, half characters. */
const pieces = [
  markup,
  '</title></style></svg></textarea>-->',
  '<script>alert(1)</script>',
  '"><b onclick=alert(1) x="',
  "' onload='alert(1)",
  '&lt;i&gt;',
  '&#60;',
  ']]>',
  '| ` [a](javascript:alert(1)) ![b](http://x.example/c) <http://x.example> @root #1 *d* _e_ ~~f~~',
  'https://x.example www.x.example',
  "'); DROP TABLE llama_bench; --",
  '\\',
  '=1+1',
  '::set-output name=x::y',
  '##[error]x',
  '##vso[task.complete]x',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://x.example\u001b\\',
  '\u001b]52;c;eA==\u0007',
  '\u009b31m',
  '\r\n',
  '\n::error::x',
  '\u202e\u2066\u200b\u00ad\ufeff\u2028\u2029',
  '\u3164\ufe0f',
  '\0\u007f\u0085',
  '\ud800',
  '\ufffe',
];

/** Strings of such pieces, of any characters and of plain words. */
export const hostileWords = fc
  .array(
    fc.oneof(
      fc.constantFrom(...pieces),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constant(' a '),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** All at once. */
export const everything = pieces.join(' ');

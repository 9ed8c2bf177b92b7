import type { Fault } from '../errors.ts';

/** Something that tells one machine or person from another. */
export interface Identifier {
  kind: string;
  text: string;
}

/** What such things look like. Each is made so that hashes, versions and times do not match. */
const patterns: readonly { kind: string; pattern: RegExp }[] = [
  {
    kind: 'UUID (GPU, boot or machine)',
    pattern: /(?:\b(?:GPU|MIG)-)?(?<![\da-f])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-f])/gi,
  },
  // a SHA-256 has 64 digits and a git commit 40
  { kind: 'machine id', pattern: /(?<![\da-z])[\da-f]{32}(?![\da-z])/gi },
  {
    kind: 'serial number',
    pattern:
      /\b(?:serial(?:[ _-]?(?:number|num|no\.?))?|S\/N|SN)["']?\s*(?:is\b|was\b|[:=#])?\s*["']?(?=[A-Z-]*\d)[A-Z\d-]{6,}/gi,
  },
  // domain optional; a device number is below 20 in hexadecimal, a time of day has no such form
  {
    kind: 'PCI address',
    pattern: /(?<![\w:.])(?:[\da-f]{4,8}:)?[\da-f]{2}:[01][\da-f]\.[0-7](?!\w)/gi,
  },
  {
    kind: 'MAC address',
    pattern: /(?<![\w:-])[\da-f]{2}(?:([:-])[\da-f]{2})(?:\1[\da-f]{2}){4,}(?![\w:])/gi,
  },
  // as Cisco writes it
  { kind: 'MAC address', pattern: /(?<![\w.])[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4}(?!\w|\.\w)/gi },
  // not 580.159.04 (three parts), v1.2.3.4, so.12.8.4.1 or "version 1.2.3.4"
  {
    kind: 'IP address',
    pattern:
      /(?<![\w.-])(?<!\b(?:version|driver|release|cuda) )(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\w|\.\d|-\w)/gi,
  },
  // with its name attached, and as host names of clouds hold it
  {
    kind: 'IP address',
    pattern: /(?<![A-Za-z\d])ip(?:v4)?[_=-]?(?:\d{1,3}([.-]))(?:\d{1,3}\1){2}\d{1,3}(?!\w|\.\d)/gi,
  },
  { kind: 'IP address', pattern: /(?<![\w:.])(?:[\da-f]{1,4}:){7}[\da-f]{1,4}(?![\w:])/gi },
  {
    kind: 'IP address',
    pattern: /(?<![\w:.])(?:(?:[\da-f]{1,4}:){1,6}|:)(?::[\da-f]{1,4}){1,6}(?![\w:])/gi,
  },
  // a package such as name@1.2.3 is none
  {
    kind: 'user or e-mail address',
    pattern: /(?<![\w.+-])[\w.+-]+@(?=[a-z])[\w-]+(?:\.[\w-]+)*/gi,
  },
  { kind: 'path', pattern: /\b(?:file|smb|cifs|nfs|afp|s?ftp|ssh):\/\/[^\s"'<>|,;()[\]{}]+/gi },
  {
    kind: 'path',
    pattern: /(?<![\w./\\~-])\/(?:[^\s"'<>|:,;()[\]{}/\\]+\/)+[^\s"'<>|:,;()[\]{}\\]*/g,
  },
  { kind: 'path', pattern: /(?<![\w./\\~-])\/root(?![\w-])/g },
  { kind: 'path', pattern: /(?<![\w/])~[\w.-]*\/[^\s"'<>|,;()[\]{}]*/g },
  { kind: 'path', pattern: /(?<![A-Za-z\d])[A-Za-z]:[\\/][^\s"'<>|:,;()[\]{}]+/g },
  { kind: 'path', pattern: /\\\\[\w.$-]+\\[\w.$-]+/g },
  { kind: 'path', pattern: /\$\{?(?:HOME|USERPROFILE)\}?[\\/][^\s"'<>|:,;()[\]{}]*/g },
  {
    kind: 'path',
    pattern:
      /%(?:USERPROFILE|USERNAME|HOMEPATH|APPDATA|LOCALAPPDATA|COMPUTERNAME)%[^\s"'<>|:,;()[\]{}]*/gi,
  },
  // what is left where folders were hidden up to a space or a quote in a name
  {
    kind: 'path',
    pattern:
      /…[\\/](?:[^…:"<>|,;()[\]{}\\/\n]*[^\s…:"<>|,;()[\]{}\\/\n][\\/])+[^\s"<>|:,;()[\]{}]*/g,
  },
  // the folder of a user in a path that begins elsewhere
  {
    kind: 'path',
    pattern:
      /(?:\.\.?[\\/])*(?<![A-Za-z\d])(?:home|Users)[\\/][\w.$-]+(?:[\\/][^\s"'<>|:,;()[\]{}]*)?/g,
  },
];

/**
 * Names of users that are words of every text: "the root cause" names nobody. They count where
 * they are attached to something, as a name is: `root@box`, `vm-root`, `/root`.
 */
const commonUsers = new Set(
  'admin administrator app build default dev guest nobody operator pi root runner service test user worker'.split(
    ' ',
  ),
);
/** The same for users and hosts that are called like a system, which every publication names. */
const systemNames = new Set('centos debian fedora linux localhost ubuntu windows'.split(' '));

/** A place in a file that looks like one. */
export interface Finding extends Identifier {
  file: string;
  /** From 1. */
  line: number;
}

/**
 * Everything in a text that looks like the identifier of a device, machine or person, or a path in
 * a file system. It errs on the side of stopping.
 * @param known names of this machine and its user. Letters and digits continue a name and nothing
 *   else does: the host `vm` is found in `vm-pilot`. A user whose name is a plain word is matched with
 *   its case; a word of every text (`root`) only where it is attached to something
 * @param allowed texts that somebody has looked at and that are none; compared whole
 */
export function findIdentifiers(
  { name, text }: { name: string; text: string },
  known: readonly Identifier[],
  allowed: readonly string[],
): Finding[] {
  const readable = name.endsWith('.json') ? unescapeJson(text) : text;
  const searches = [
    ...known.map((identifier) => ({ kind: identifier.kind, pattern: patternOf(identifier) })),
    ...patterns,
  ];
  const matches = searches
    .flatMap(({ kind, pattern }) =>
      [...readable.matchAll(pattern)].map(({ 0: found, index }) => ({ kind, text: found, index })),
    )
    .sort((a, b) => a.index - b.index || b.text.length - a.text.length);
  const lineOf = createLineCounter(readable);
  let end = 0;
  return matches.flatMap(({ kind, text: found, index }) => {
    if (index + found.length <= end) return []; // inside another one, which says more
    end = index + found.length;
    return allowed.includes(found) ? [] : [{ file: name, line: lineOf(index), kind, text: found }];
  });
}

/** Strings as they are meant, each on its line: `C:\\Users` is a path of one folder. */
function unescapeJson(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code: string | undefined, mark: string) => {
    if (code !== undefined)
      return String.fromCharCode(Number.parseInt(code, 16)).replace('\n', ' ');
    return /[bfnrt]/.test(mark) ? ' ' : mark;
  });
}

function patternOf({ kind, text: word }: Identifier): RegExp {
  const escaped = word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  const notInside = '(?<![A-Za-z\\d])';
  const ends = '(?![A-Za-z\\d])';
  const flags = kind === 'user name' && /^[A-Za-z]+$/.test(word) ? 'g' : 'gi';
  const plain = word.toLowerCase();
  const isCommon = kind === 'user name' && commonUsers.has(plain);
  if (!isCommon && !systemNames.has(plain)) {
    return new RegExp(`${notInside}${escaped}${ends}`, flags);
  }
  const after = '(?<=[A-Za-z\\d][-_.@:]|[/\\\\~@])';
  const before = '(?=[-_.@:/\\\\][A-Za-z\\d])';
  return new RegExp(`${after}${escaped}${ends}|${notInside}${escaped}${before}`, flags);
}

function createLineCounter(text: string): (index: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (index) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= index) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

const longestQuote = 60;

export function describeFinding({ file, line, kind, text }: Finding): Fault {
  const quoted = text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text;
  return { where: `${file} line ${line}`, what: `looks like ${article(kind)} ${kind}: ${quoted}` };
}

const article = (noun: string) => (/^IP\b/.test(noun) ? 'an' : 'a');

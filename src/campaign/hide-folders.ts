/** A word of a folder's name; a quote only inside it. */
const word = `(?:[^\\\\/\\s:"'<>|]|(?<=\\w)'(?=\\w))+`;
/** Behind the name of a file, or the end of a clause, no folder's name goes on. */
const notAtEnd = '(?<!\\.[A-Za-z]\\w{0,4}|[,;)])';
/** A folder's name; words behind a space are of it where a separator follows. */
const folder = `${word}(?:${notAtEnd} [^\\\\/\\s:"'<>|,;()…]+){0,4}`;

/** An absolute path of Linux, macOS or Windows with at least one folder. */
const absolutePath = new RegExp(
  `(?<![\\w./\\\\-])(?:[A-Za-z]:|…)?(?:[\\\\/]${folder})+[\\\\/](?=[^\\\\/\\s:"'<>|])`,
  'g',
);
/** The same between two marks, whatever its folders are called. */
const quotedPath = /(["'`])(?:[A-Za-z]:|…)?[\\/][^\n"'`]*[\\/]([^\n\\/"'`]+)\1/g;

/**
 * Leaves of each absolute path the last part alone. Ledgers are published, and folders name people
 * and machines; the whole message stays in the trial's log, which is not.
 */
export function hideFolders(text: string): string {
  return text.replace(quotedPath, '$1…/$2$1').replace(absolutePath, '…/');
}

/** Paths that a process was given. */
export interface KnownPaths {
  /** As they were handed over, absolute or not. Their base names stay. */
  files: readonly string[];
  /** Absolute. Those above them are hidden too, but for those right below the root. */
  folders: readonly string[];
}

/**
 * Hides what is known to be a path first, whatever characters it has, then what looks like one.
 * @returns as `hideFolders`
 */
export function createFolderHider({ files, folders }: KnownPaths): (text: string) => string {
  const hidden = new Map<string, string>();
  for (const file of files) {
    const [parent, base] = splitPath(file);
    if (parent !== '') hidden.set(file, `…/${base}`);
    for (const above of listFolders(parent)) hidden.set(above, '…');
  }
  for (const path of folders) for (const above of listFolders(path)) hidden.set(above, '…');
  const spelled = [...hidden].flatMap(([path, instead]) =>
    [...new Set([path, path.replaceAll(/\s+/g, ' '), JSON.stringify(path).slice(1, -1)])].map(
      (spelling) => ({ spelling, instead }),
    ),
  );
  const literals = spelled
    .sort((a, b) => b.spelling.length - a.spelling.length)
    .map(({ spelling, instead }) => ({ pattern: literal(spelling), instead }));
  return (text) =>
    hideFolders(
      literals.reduce((rest, { pattern, instead }) => rest.replace(pattern, () => instead), text),
    );
}

/** A whole path; a dot that ends a sentence may follow. */
function literal(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_./\\\\-])${escaped}(?![\\p{L}\\p{N}_-])`, 'gu');
}

/** The folder and those above it that a text would not name by chance. */
function listFolders(path: string): string[] {
  const found: string[] = [];
  for (let at = path; /[^\\/.:]/.test(at); at = splitPath(at)[0]) {
    const isAbsolute = /^(?:[A-Za-z]:)?[\\/]/.test(at);
    const isDeep = splitPath(at)[0] !== '';
    if (isAbsolute ? isDeep : /[\\/\s]/.test(at)) found.push(at);
  }
  return found;
}

function splitPath(path: string): [parent: string, base: string] {
  const trimmed = path.replace(/[\\/]+$/, '');
  const at = Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\'));
  return [trimmed.slice(0, Math.max(at, 0)), trimmed.slice(at + 1)];
}

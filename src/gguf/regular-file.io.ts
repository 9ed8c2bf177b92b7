import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ErrorCode, type Fault, RooflawError } from '../errors.ts';

/** What is wrong with a path, before anything is read. */
class NotAFile extends Error {
  readonly hint: string;

  constructor(what: string, hint: string) {
    super(what);
    this.hint = hint;
  }
}

/** Opening a pipe would wait for a writer, so what it is must be known before. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new NotAFile('is a folder', await proposeFile(path));
  if (!stats.isFile()) {
    const what = stats.isFIFO() ? 'is a pipe' : 'is a device or a socket';
    throw new NotAFile(`${what}, not a file`, 'write the model into a file and name that');
  }
  if (stats.size === 0) {
    throw new NotAFile('is empty', 'copy or download the file again');
  }
  return open(path, 'r');
}

async function proposeFile(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const [first] = names.filter((name) => name.endsWith('.gguf')).sort();
  return first === undefined
    ? 'name a file that ends in .gguf; there is none in this folder'
    : `name a file in it, such as ${join(folder, first)}`;
}

const readErrors: ReadonlyMap<string, { code: ErrorCode; what: string; hint: string }> = new Map([
  ['ENOENT', { code: 'not-found', what: 'there is no such file', hint: 'check the path' }],
  [
    'ENOTDIR',
    {
      code: 'not-found',
      what: 'a part of the path is a file, not a folder',
      hint: 'check the path',
    },
  ],
  [
    'ELOOP',
    { code: 'not-found', what: 'a link that leads back to itself', hint: 'make the link anew' },
  ],
  [
    'EACCES',
    {
      code: 'invalid-input',
      what: 'no permission to read it',
      hint: 'allow reading the file and entering its folders, or name a copy of your own',
    },
  ],
  [
    'EIO',
    {
      code: 'invalid-input',
      what: 'the disk failed (input/output error)',
      hint: 'look at the disk, and take the file from another place',
    },
  ],
]);

/** A failure of reading, as a fault; errors that are not the system's are thrown as they are. */
export function explainReadError(error: unknown, path: string): { code: ErrorCode; fault: Fault } {
  if (error instanceof NotAFile) {
    const fault = { where: path, what: error.message, hint: error.hint };
    return { code: 'invalid-input', fault };
  }
  const system = (error as NodeJS.ErrnoException | null)?.code;
  if (typeof system !== 'string') throw error;
  const { code, what, hint } = readErrors.get(system) ?? {
    code: 'invalid-input' as const,
    what: `it cannot be read (${system})`,
    hint: 'name another file',
  };
  const isAddress = code === 'not-found' && /^[a-z]+:\/\//i.test(path);
  const fault = { where: path, what, hint: isAddress ? 'download it and name the file' : hint };
  return { code, fault };
}

/** The same, to be thrown; ours are thrown as they are. */
export function toReadError(error: unknown, path: string): RooflawError {
  if (error instanceof RooflawError) return error;
  const { code, fault } = explainReadError(error, path);
  return new RooflawError(code, `${fault.where}: ${fault.what}`, {
    hint: fault.hint!,
    cause: error,
  });
}

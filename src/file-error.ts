import { type ErrorCode, RooflawError } from './errors.ts';

const expected: ReadonlyMap<string, { code: ErrorCode; what: string }> = new Map([
  ['ENOSPC', { code: 'no-space', what: 'the disk is full' }],
  ['EDQUOT', { code: 'no-space', what: 'the disk quota is used up' }],
  ['EFBIG', { code: 'no-space', what: 'the file would be larger than allowed' }],
  ['EACCES', { code: 'not-writable', what: 'no permission' }],
  ['EPERM', { code: 'not-writable', what: 'not permitted' }],
  ['EROFS', { code: 'not-writable', what: 'the file system is read-only' }],
  ['ENOENT', { code: 'not-writable', what: 'there is no such folder' }],
  ['ENOTDIR', { code: 'not-writable', what: 'a part of the path is a file, not a folder' }],
  ['ELOOP', { code: 'not-writable', what: 'a link that leads back to itself' }],
  ['EISDIR', { code: 'not-writable', what: 'it is a folder' }],
  ['EEXIST', { code: 'not-writable', what: 'something else is there' }],
  ['ENAMETOOLONG', { code: 'not-writable', what: 'the name is too long' }],
  ['EIO', { code: 'not-writable', what: 'the disk failed (input/output error)' }],
]);

/** What to try for files in the user's cache, where models and runners lie. */
export const cacheHint =
  'make room and allow writing there, or set XDG_CACHE_HOME to another place';

/**
 * The expected failures of writing a file, in words.
 * @param place what could not be written, with its path.
 * @returns RooflawError `no-space` or `not-writable`; any other error as it is.
 */
export function explainFileError(error: unknown, place: string, hint: string): unknown {
  if (error instanceof RooflawError) return error;
  const known = expected.get((error as NodeJS.ErrnoException | null)?.code ?? '');
  if (known === undefined) return error;
  const { code, what } = known;
  return new RooflawError(code, `cannot write ${place}: ${what}`, { hint, cause: error });
}

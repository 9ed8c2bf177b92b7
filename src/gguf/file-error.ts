import { RooflawError } from '../errors.ts';

/**
 * The expected failures of the file system, in words; anything else as it is.
 * @returns RooflawError `no-space` or `not-writable`, or `error` itself.
 */
export function explainFileError(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return noSpace(`the disk of ${folder} became full while a model was written`, error);
  }
  if (code !== undefined && ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'].includes(code)) {
    return new RooflawError('not-writable', `cannot write a model into ${folder} (${code})`, {
      hint: 'create the folder or allow writing there, or set XDG_CACHE_HOME to another place',
      cause: error,
    });
  }
  return error;
}

export function noSpace(message: string, cause?: unknown): RooflawError {
  return new RooflawError('no-space', message, {
    hint: 'remove models that no campaign needs, or set XDG_CACHE_HOME to a larger disk',
    cause,
  });
}

export function stoppedBy(signal: AbortSignal): RooflawError {
  return new RooflawError('interrupted', 'stopped while a model was generated; no file was left', {
    cause: signal.reason,
  });
}

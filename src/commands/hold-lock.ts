import { takeLock } from '../campaign/lock.io.ts';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import type { Progress } from './progress.ts';

/**
 * Takes a lock until `cleanup` ends. One that cannot be removed then is said and hides no other error:
 * its owner is dead by the next start, so it is taken over.
 * @returns what was taken over, in words for the ledger; null: nothing
 * @throws RooflawError `busy` with the owner, `no-space`, `not-writable`
 */
export async function holdLock(
  path: string,
  campaign: string,
  use: string,
  cleanup: AsyncDisposableStack,
  progress: Progress,
): Promise<string | null> {
  try {
    const { takenOver, release } = await takeLock(path, campaign, use);
    cleanup.defer(() =>
      release().catch((error) =>
        progress.say(
          `the lock ${path} could not be removed (${error.message}); it does no harm: the next campaign takes it over`,
        ),
      ),
    );
    if (takenOver !== null) progress.say(takenOver);
    return takenOver;
  } catch (error) {
    throw explainDiskFailure(error, `the lock ${path}`);
  }
}

/** What a disk does, not a program; other errors of files may be defects and keep their trace. */
const ofDisks = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'];

/** The failure of a full or broken disk in words, wherever it struck; any other error as it is. */
export function explainDiskFailure(error: unknown, place: string): unknown {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (error instanceof RooflawError || !ofDisks.includes(code)) return error;
  return explainFileError(
    error,
    place,
    'nothing that was promised is lost: make room or see to the disk, then run the same command to resume',
  );
}

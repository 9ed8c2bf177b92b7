import { open } from 'node:fs/promises';

/** Makes a new or renamed file survive a crash of the machine, where the system has such a call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'EINVAL' && code !== 'ENOTSUP') throw error; // some network file systems
  }
}

/** The same for a folder that may be somebody else's, in which one may pass but not look. */
export async function syncFolderIfReadable(folder: string): Promise<void> {
  try {
    await syncFolder(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
  }
}

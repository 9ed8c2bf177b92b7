import { open } from 'node:fs/promises';

/** Makes a new or renamed file survive a crash of the machine. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows has no such call
  await using handle = await open(folder, 'r');
  await handle.sync();
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

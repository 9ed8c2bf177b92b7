/** An absolute path of Linux, macOS or Windows with at least one folder. */
const absolutePath =
  /(?<![\w./\\-])(?:[A-Za-z]:)?(?:[\\/][^\\/\s:"'<>|]+)+[\\/](?=[^\\/\s:"'<>|])/g;

/**
 * Leaves of each absolute path the last part alone. Ledgers are published, and folders name people
 * and machines; the whole message stays in the trial's log, which is not.
 */
export function hideFolders(text: string): string {
  return text.replace(absolutePath, '…/');
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A browser of this machine that can be run without a screen; undefined where there is none. */
export const browser = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
  ...['--enable-logging=stderr', '--dump-dom'],
];

export interface ShownPage {
  /** The document as it stands at the end. */
  document: string;
  /** Its complaints, one a line. */
  console: string[];
  /** Every address that was asked for, among much else. */
  net: string;
}

/**
 * What the browser makes of a page in a file, with a profile of its own.
 * @throws Error when it does not end by itself with a document
 */
export function showPage(html: string): ShownPage {
  if (browser === undefined) throw new Error('there is no browser');
  const folder = mkdtempSync(join(tmpdir(), 'rooflaw-browser-'));
  try {
    const [page, log] = [join(folder, 'page.html'), join(folder, 'net.json')];
    writeFileSync(page, html);
    const own = [`--user-data-dir=${join(folder, 'profile')}`, `--log-net-log=${log}`];
    const { stdout, stderr, status, signal, error } = spawnSync(
      browser,
      [...flags, ...own, pathToFileURL(page).href],
      { encoding: 'utf8', timeout: 60_000, maxBuffer: 1e8 },
    );
    if (status !== 0 || stdout === '') {
      throw new Error(`the browser ended with ${error?.message ?? signal ?? status}\n${stderr}`);
    }
    return {
      document: stdout,
      console: stderr.split('\n').filter((line) => line.includes('CONSOLE')),
      net: existsSync(log) ? readFileSync(log, 'utf8') : '',
    };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

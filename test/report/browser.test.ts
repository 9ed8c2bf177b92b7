import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { renderReport } from '../../src/report/render-report.ts';
import { analyzeWorked } from '../support/worked-campaign.ts';

const browser = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path));
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-browser-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the browser makes of a page: the document as it stands at the end, and its complaints. */
function open(html: string): { document: string; console: string } {
  const page = join(folder, 'page.html');
  writeFileSync(page, html);
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--user-data-dir=${mkdtempSync(join(folder, 'profile-'))}`,
    '--enable-logging=stderr',
    '--dump-dom',
  ];
  const { stdout, stderr } = spawnSync(browser ?? '', [...flags, pathToFileURL(page).href], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return {
    document: stdout,
    console: stderr
      .split('\n')
      .filter((line) => line.includes('CONSOLE'))
      .join('\n'),
  };
}

test.skipIf(browser === undefined)(
  'a browser shows the report without a complaint, and runs no script in it (needs chromium)',
  async () => {
    const report = renderReport(await analyzeWorked());
    const shown = open(report);
    expect(shown.console).toBe('');
    expect(shown.document.match(/<figure/g)?.length).toBe(5);

    const title = '<script>document.title = "taken over"</script>';
    const attacked = open(report.replace('</main>', `${title}</main>`));
    expect(attacked.console).toContain('Content Security Policy');
    expect(attacked.document).not.toContain('<title>taken over</title>');
  },
);

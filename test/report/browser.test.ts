import { expect, test } from 'vitest';
import { renderReport } from '../../src/report/render-report.ts';
import { browser, showPage } from '../support/launch-browser.ts';
import { analyzeWorked } from '../support/worked-campaign.ts';

test.skipIf(browser === undefined)(
  'a browser shows the report without a complaint, and runs no script in it (needs chromium)',
  async () => {
    const report = renderReport(await analyzeWorked());
    const shown = showPage(report);
    expect(shown.console).toEqual([]);
    expect(shown.document.match(/<figure/g)?.length).toBe(5);

    const title = '<script>document.title = "taken over"</script>';
    const attacked = showPage(report.replace('</main>', `${title}</main>`));
    expect(attacked.console.join('\n')).toContain('Content Security Policy');
    expect(attacked.document).not.toContain('<title>taken over</title>');
  },
  120_000,
);

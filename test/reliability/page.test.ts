import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import type { Analysis } from '../../src/formats/analysis.ts';
import { planSchema } from '../../src/formats/plan.ts';
import { toPrintable } from '../../src/printable.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { everything, hostileWords, markup } from '../support/hostile-words.ts';
import { browser, showPage } from '../support/launch-browser.ts';
import { buildPlan, createLedger } from '../support/ledger-builder.ts';
import { analyzeWorked, observeAll } from '../support/worked-campaign.ts';

/** Every string of an analysis that comes from outside, names that no schema lets through among them. */
async function analyzeNamed(name: string): Promise<Analysis> {
  const words = name.toWellFormed(); // a ledger holds no half characters
  const plan = buildPlan();
  const first = createLedger(plan).entries[0]!;
  if (first.type !== 'campaign') throw new Error('the first entry is the campaign');
  const declaration = { ...plan.declaration, question: words, comparisonFamily: words };
  const analysis = await analyzeWorked(
    (ledger) => {
      observeAll(ledger);
      ledger.add({ type: 'note', text: words });
      ledger.startSession({ differences: [words] });
    },
    { ...plan, declaration },
    {
      device: words,
      fingerprint: {
        ...first.fingerprint,
        deviceDescription: words,
        cpuModel: words,
        driver: words,
        kernel: words,
        operatingSystem: words,
      },
      backend: { ...first.backend, name: words, commit: words },
      program: { version: words, gitCommit: words, gitDirty: true },
    },
  );
  const { identity, protocol } = analysis;
  return {
    ...analysis,
    name: words,
    protocol: { ...protocol, name: words },
    identity: {
      ...identity,
      label: words,
      protocol: { ...identity.protocol, name: words },
      space: { name: words, sha256: words },
      models: identity.models.map((model) =>
        'architecture' in model
          ? { ...model, architecture: { ...model.architecture, name: words } }
          : model,
      ),
    },
    items: analysis.items.map((item) => ({
      ...item,
      architecture: `${words}${item.architecture}`,
    })),
    failures: [
      { trial: 0, item: 0, attempt: 1, code: words as 'crashed', message: words } as never,
    ],
    caveats: [words],
  };
}

const elementsOf = (page: string) => [...parseHTML(page).document.querySelectorAll('*')];

test('a schema refuses markup as the name of an architecture, and says what a name may be', () => {
  const plan = buildPlan();
  const [model, ...others] = plan.models;
  if (model === undefined || !('architecture' in model)) throw new Error('a generated model');
  const architecture = { ...model.architecture, name: markup };
  const { success, error } = planSchema.safeParse({
    ...plan,
    models: [{ ...model, architecture }, ...others],
  });
  expect(success).toBe(false);
  expect(JSON.stringify(error?.issues)).toContain('starting with a letter or digit');
});

/** So long that labels of figures lose their middle and have a title, whatever stands before it. */
const tail = 'x'.repeat(300);
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

test('no words of others add an element or an attribute, and every one of them can be read', async () => {
  const shapeOf = (page: string) =>
    elementsOf(page).map((element) => [
      element.tagName,
      [...element.attributes].map(({ name }) => name).join(' '),
    ]);
  const timesOf = (page: string, words: string) =>
    parseHTML(page).document.documentElement.textContent.split(words).length - 1;
  const harmless = renderReport(await analyzeNamed(tail));
  const [shape, often] = [shapeOf(harmless), timesOf(harmless, tail)];
  expect(often).toBeGreaterThan(30);
  await fc.assert(
    fc.asyncProperty(hostileWords, async (hostile) => {
      const words = `a${hostile}${tail}`;
      const page = renderReport(await analyzeNamed(words));
      expect(shapeOf(page)).toEqual(shape);
      expect(page).not.toMatch(unprintable);
      const { document } = parseHTML(page);
      const shown = toPrintable(words);
      expect(document.querySelector('h1')!.textContent).toBe(shown);
      expect(document.querySelector('title')!.textContent).toBe(`${shown}: Rooflaw report`);
      expect(timesOf(page, shown)).toBe(often);
    }),
    { numRuns: 25, seed: 20261201 },
  );
}, 60_000);

/** A policy as a browser reads it: directives by name, of a repeated one the first. */
function parsePolicy(text: string): Map<string, string[]> {
  const policy = new Map<string, string[]>();
  for (const directive of text.split(';')) {
    const [name, ...values] = directive.trim().split(/\s+/);
    if (name !== undefined && name !== '' && !policy.has(name)) policy.set(name, values);
  }
  return policy;
}

test('the policy lets nothing run, load or be sent', async () => {
  const { document } = parseHTML(renderReport(await analyzeNamed(everything)));
  const [meta, ...others] = document.querySelectorAll(
    'meta[http-equiv="Content-Security-Policy" i]',
  );
  expect(others).toEqual([]);
  // it holds from where it stands: before the title, which has a name in it
  expect(meta!.previousElementSibling!.getAttribute('charset')).toBe('utf-8');
  const policy = parsePolicy(meta!.getAttribute('content')!);
  // scripts, images, frames, fonts, connections fall back to default-src. A page in a file cannot forbid
  // to be framed: frame-ancestors is ignored in a meta element, so it is not there to look like it did.
  expect(Object.fromEntries(policy)).toEqual({
    'default-src': ["'none'"],
    'style-src': ["'unsafe-inline'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  });
  expect(
    document.querySelectorAll('script, img, iframe, object, embed, form, link, base'),
  ).toHaveLength(0);
});

test.skipIf(browser === undefined)(
  'a browser runs nothing, adds no element and asks for nothing, whatever the names (needs chromium)',
  async () => {
    const server = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const words = `${everything} <img src=http://127.0.0.1:${port}/got-in onerror="document.title='taken over'">`;
      const report = renderReport(await analyzeNamed(words));
      const shown = showPage(report);
      expect(shown.console).toEqual([]);
      expect(elementsOf(shown.document)).toHaveLength(elementsOf(report).length);
      expect(shown.document.match(/<title>taken over|<script|<img/g)).toBeNull();
      expect(shown.net.length).toBeGreaterThan(100);
      expect(shown.net).not.toContain(`127.0.0.1:${port}`);

      // the same page with markup in it: what the browser was asked to look out for can be seen
      const image = `<img src="http://127.0.0.1:${port}/got-in"><script>document.title = 'taken over'</script>`;
      const attacked = showPage(report.replace('</main>', `${image}</main>`));
      expect(attacked.console.join('\n')).toContain('Content Security Policy');
      expect(attacked.document).not.toContain('<title>taken over');
    } finally {
      server.close();
    }
  },
  120_000,
);

import { parseHTML } from 'linkedom';
import { expect, test } from 'vitest';
import { renderReport } from '../../src/report/render-report.ts';
import { buildPlan, buildProtocol, createLedger } from '../support/ledger-builder.ts';
import { analyzeWorked, observeAll, workedTimes } from '../support/worked-campaign.ts';

const attack = `<img src=x onerror="alert('1')">`;

function textOf(page: string): string {
  return parseHTML(page).document.body.textContent.replace(/\s+/g, ' ');
}

test('the page has its questions in order, its tables and its figures', async () => {
  const { document } = parseHTML(renderReport(await analyzeWorked()));
  expect([...document.querySelectorAll('h2')].map((heading) => heading.textContent)).toEqual([
    'Can a difference of 10 % be explored here?',
    'What was asked',
    'What was measured',
    'What came out',
    'What the answer rests on',
    'What the order of measuring shows',
    'Advice for a next protocol',
    'What it cost',
    'What this does not show',
    'What happened on the way',
    'Identity',
    'How to repeat it',
  ]);
  expect(document.querySelectorAll('figure')).toHaveLength(5);
  // every figure for desks and for phones, each with words for those who do not see it
  const drawings = [...document.querySelectorAll('figure svg')];
  expect(drawings).toHaveLength(10);
  for (const svg of drawings) {
    expect(svg.getAttribute('role')).toBe('img');
    expect(svg.getAttribute('aria-label')).toMatch(/\w+: /);
  }
  const rows = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  expect(rows).toContainEqual([
    'mid Q8_0 S512 [ref]',
    '10',
    '14.825 ms',
    '4,317',
    '14.790–14.860 ms',
    '97.9 %',
    '0.24 %',
    'yes',
  ]);
  expect(rows).toContainEqual([
    'mid Q8_0 S512 [ref]',
    '4.46 %',
    '0.01 %',
    '14.6 %',
    'no',
    '1.143',
    '1',
    '44.5 %',
    'one',
  ]);
});

test('what the answer rests on: simultaneous intervals and detection rates, item by item', async () => {
  const { document } = parseHTML(renderReport(await analyzeWorked()));
  const rows = [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  // explorable, ±interval, limit, trials needed, target from, interval, upper/lower, at -10, 0, 5, 10 %
  const worked = rows.find(
    (cells) => cells[0] === 'mid Q8_0 S512 [ref]' && cells[6] === '14.780–16.940 ms',
  );
  expect(worked?.slice(1, 6)).toEqual(['yes', '0.24 %', '5 %', '9', '0.48 %']);
  expect(worked?.slice(7)).toEqual(['1.146', '73.6 %', '0.1 %', '73.6 %', '73.6 %']);
});

test('the answer stands first, and a target that was asked afterwards says so', async () => {
  const analysis = await analyzeWorked();
  const first = (page: string) =>
    parseHTML(page).document.querySelector('section')!.textContent.replace(/\s+/g, ' ');
  const declared = first(renderReport(analysis));
  expect(declared).toContain('Can a difference of 10 % be explored here? Yes, in all 4 items.');
  expect(declared).not.toContain('ASKED AFTERWARDS');
  const closure = { ...analysis.closure, targetSource: 'command-line' as const };
  const asked = renderReport({ ...analysis, closure });
  expect(first(asked)).toContain('declared before the first trial was 10 %');
  expect(textOf(asked)).toContain('The answer above is to another target, asked afterwards.');
});

test('subsets of rounds are drawn: 84 of 120 leave the slow round out', async () => {
  const page = renderReport(await analyzeWorked());
  const titles = [...parseHTML(page).document.querySelectorAll('.wide rect title')].map(
    (title) => title.textContent,
  );
  expect(titles).toContain('3 stable items: 36 subsets');
  expect(titles).toContain('4 stable items: 84 subsets');
});

test('both speeds of an item are marked among its trials', async () => {
  const analysis = await analyzeWorked((ledger) => {
    for (const scheduled of ledger.schedule) {
      const isSlow = scheduled.round % 2 === 1 && scheduled.item.phase === 'decode';
      const times = workedTimes(scheduled).map((ns) => (isSlow ? 2 * ns : ns));
      ledger.observe(scheduled.trial, times);
    }
  });
  const page = renderReport(analysis);
  expect(textOf(page)).toContain('red ticks stand at the median of each');
  expect(textOf(page)).toContain(
    'small F16 S128 decode: 5 trials around 16.290 ms, 5 around 32.640 ms',
  );
  const marks = parseHTML(page).document.querySelectorAll(
    'figure .wide [stroke="var(--warn)"] line',
  );
  expect(marks).toHaveLength(4);
});

test('every trial is a dot in both sizes of the first figure', async () => {
  const { document } = parseHTML(renderReport(await analyzeWorked()));
  const first = document.querySelector('figure')!;
  expect(first.querySelectorAll('.wide circle')).toHaveLength(40);
  expect(first.querySelectorAll('.narrow circle')).toHaveLength(40);
  const titles = [...first.querySelectorAll('.wide circle title')].map(
    (title) => title.textContent,
  );
  expect(titles).toContain('round 9: 16.940 ms (+14.3 %)');
});

test('a trial far outside is drawn at the edge with its value', async () => {
  const analysis = await analyzeWorked((ledger) => {
    for (const scheduled of ledger.schedule) {
      const times = workedTimes(scheduled);
      const isSlow = scheduled.round === 4 && scheduled.item.phase === 'decode';
      ledger.observe(scheduled.trial, isSlow ? times.map((ns) => 5 * ns) : times);
    }
  });
  const { document } = parseHTML(renderReport(analysis));
  const wide = document.querySelector('figure .wide')!;
  expect(wide.querySelectorAll('circle')).toHaveLength(38);
  expect(wide.textContent).toContain('+401');
  expect(wide.textContent).toContain('+400');
  expect(document.querySelector('figcaption')!.textContent).toContain(
    '2 trials beyond +100 % stand at the edge',
  );
});

test('several trials far outside share one label, and a wide drift gets a logarithmic axis', async () => {
  const analysis = await analyzeWorked((ledger) => {
    for (const scheduled of ledger.schedule) {
      const times = workedTimes(scheduled);
      const isSlow = scheduled.round >= 7 && scheduled.item.phase === 'decode';
      ledger.observe(scheduled.trial, isSlow ? times.map((ns) => 5 * ns) : times);
    }
  });
  const page = renderReport(analysis);
  const [means, reference] = parseHTML(page).document.querySelectorAll('figure');
  const labels = [...means!.querySelectorAll('.wide text')].map((text) => text.textContent);
  expect(labels.filter((label) => label === '3×')).toHaveLength(2);
  expect(means!.textContent).toContain('6 trials beyond +100 % stand at the edge');
  expect(reference!.textContent).toContain('The axis is logarithmic');
  expect(reference!.querySelector('.wide')!.textContent).toContain('+300');
  expect(reference!.querySelectorAll('.wide circle')).toHaveLength(20);
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
  const calm = parseHTML(renderReport(await analyzeWorked())).document;
  expect(calm.body.textContent).not.toContain('The axis is logarithmic');
});

test('words of others are text and nothing else', async () => {
  const plan = buildPlan();
  const first = createLedger(plan).entries[0]!;
  if (first.type !== 'campaign') throw new Error('the first entry is the campaign');
  const declaration = {
    ...plan.declaration,
    question: `question ${attack}`,
    comparisonFamily: `family ${attack}`,
  };
  const analysis = await analyzeWorked(
    (ledger) => {
      ledger.fail(0, { message: `message ${attack}` });
      ledger.add({ type: 'note', text: `note ${attack}` });
      ledger.startSession({ differences: [`difference ${attack}`] });
    },
    { ...plan, declaration },
    {
      device: `device ${attack}`,
      fingerprint: {
        ...first.fingerprint,
        deviceDescription: `description ${attack}`,
        cpuModel: `cpu ${attack}`,
        driver: `driver ${attack}`,
        kernel: `kernel ${attack}`,
        operatingSystem: `system ${attack}`,
      },
      backend: { ...first.backend, name: `backend ${attack}`, commit: `commit ${attack}` },
      program: { version: `"><script>`, gitCommit: `git ${attack}`, gitDirty: true },
    },
  );
  const page = renderReport(analysis);
  const { document } = parseHTML(page);
  expect(document.querySelectorAll('img, script')).toHaveLength(0);
  expect(page).not.toMatch(/<script|<img/i);
  const text = textOf(page);
  for (const place of ['question', 'family', 'message', 'note', 'difference', 'device', 'cpu']) {
    expect(text).toContain(`${place} ${attack}`);
  }
  for (const place of ['description', 'driver', 'kernel', 'system', 'backend', 'commit', 'git']) {
    expect(text).toContain(`${place} ${attack}`);
  }
});

test('nothing is fetched and nothing runs', async () => {
  const page = renderReport(await analyzeWorked());
  const { document } = parseHTML(page);
  expect(
    document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content'),
  ).toBe("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
  const addresses = page.match(/\w+:\/\/[^\s"'<)]*/g) ?? [];
  expect(addresses.filter((address) => address !== 'http://www.w3.org/2000/svg')).toEqual([]);
  for (const element of document.querySelectorAll('*')) {
    for (const { name } of element.attributes) expect(name).not.toMatch(/^on|^src$|^href$/);
  }
  expect(page).not.toMatch(/url\(|@import|NaN|undefined|Infinity/);
});

test('only v1 may look like v1', async () => {
  const other = renderReport(await analyzeWorked());
  expect(parseHTML(other).document.querySelector('.label.not-v1')?.textContent).toMatch(
    /^Not v1: "test-1" rules on backend embedded/,
  );
  const plan = buildPlan({ protocol: buildProtocol({ name: 'v1' }) });
  const v1 = parseHTML(renderReport(await analyzeWorked(observeAll, plan))).document;
  expect(v1.querySelector('.label.not-v1')).toBeNull();
  expect(v1.querySelector('.label')?.textContent).toMatch(
    /^v1 rules on backend embedded .*; log output cost is included$/,
  );
});

test('a drift over the threshold is marked for review', async () => {
  const analysis = await analyzeWorked((ledger) => {
    for (const scheduled of ledger.schedule) {
      const times = workedTimes(scheduled);
      const isLate = scheduled.round >= 5 && scheduled.item.phase === 'prefill';
      ledger.observe(scheduled.trial, isLate ? times.map((ns) => 2 * ns) : times);
    }
  });
  const { document } = parseHTML(renderReport(analysis));
  const marked = [...document.querySelectorAll('.marked')].map(
    (paragraph) => paragraph.textContent,
  );
  expect(marked).toHaveLength(2);
  expect(document.querySelector('header')!.firstElementChild!.textContent).toMatch(
    /^DRIFT, MARKED FOR REVIEW: .* \+99\.9 % in prefill .* does not hold under drift\.$/,
  );
  expect(marked[1]).toMatch(/^Drift, prefill: 16\.310 to 32\.600 ms, \+99\.9 %/);
});

test('a campaign that has only begun still has a report', async () => {
  const nothing = renderReport(await analyzeWorked(() => {}));
  expect(textOf(nothing)).toContain('No trial has a valid time, so there is nothing to draw.');
  expect(nothing).not.toMatch(/NaN|undefined|Infinity/);

  const one = renderReport(await analyzeWorked((ledger) => ledger.observe(0, [9, 9, 5, 5])));
  expect(one).not.toMatch(/NaN|undefined|Infinity/);
  expect(textOf(one)).toContain('The campaign is incomplete: 1 of 40 trials');
  expect(textOf(one)).toContain('n = 1: one trial does not vary');
});

test('one phase, no warm-up and one kept repetition are drawn too', async () => {
  const protocol = buildProtocol({ phases: ['decode'], repetitions: { warmup: 0, kept: 1 } });
  const page = renderReport(
    await analyzeWorked((ledger) => {
      for (const { trial, round } of ledger.schedule) ledger.observe(trial, [1000 + round]);
    }, buildPlan({ protocol })),
  );
  expect(page).not.toMatch(/NaN|undefined|Infinity/);
  // without a spread inside trials nothing is stable or not, so subsets are not drawn
  expect(parseHTML(page).document.querySelectorAll('figure').length).toBe(4);
  expect(textOf(page)).toContain('Not evaluable:');
});

test('the same analysis gives the same page', async () => {
  const analysis = await analyzeWorked();
  expect(renderReport(analysis)).toBe(renderReport(analysis));
});

import { expect, test } from 'vitest';
import { registerExplain } from '../../src/commands/explain.ts';
import { RooflawError } from '../../src/errors.ts';
import { printedBy } from '../support/printed-by.ts';
import { workIn } from '../support/rooflaw.ts';

const explain = (...words: string[]) => printedBy(registerExplain, ['explain', ...words]);

test('a term is printed with what it means, what it is not, its rule, its source and others', async () => {
  const text = await explain('stable');
  expect(text).toMatch(/^stable\n {2}A flag: relative range and in-trial CV are within/);
  expect(text).toMatch(/^ {2}is not {2}a test of equivalence/m);
  expect(text).toMatch(/^ {2}rule {4}v1 and bench: relative range ≤ 5 % and in-trial CV ≤ 5 %/m);
  expect(text).toMatch(/^ {2}from {4}docs\/protocol-v1\.md/m);
  expect(text).toMatch(/^ {2}see {5}.*relative range/m);
});

test('words need no quotes, and case and hyphens do not matter', async () => {
  const text = await explain('Two', 'Speeds');
  expect(text).toMatch(/^two speeds\n/);
  expect(await explain('two-speed')).toBe(text);
});

test('a word with several meanings has each, by command', async () => {
  const text = await explain('change');
  expect(text).toMatch(/^ {2}in compare {2}Of two campaigns: /m);
  expect(text).toMatch(/^ {2}in gate {5}Of the candidate against base/m);
  const { terms } = JSON.parse(await explain('change', '--json'));
  expect(Object.keys(terms[0].senses)).toEqual(['compare', 'gate']);
  expect(await explain('stable flag')).toContain('in bench');
  expect(await explain('CV')).not.toMatch(/^ {2}in \w/m);
});

test('a terminal that says it has 0 columns gets lines of 120', async () => {
  const { columns } = process.stdout;
  process.stdout.columns = 0;
  try {
    const [, meaning] = (await explain('two speeds')).split('\n');
    expect(meaning).toMatch(/^ {2}A flag: the trials fall into a fast and a slow group/);
  } finally {
    process.stdout.columns = columns;
  }
});

test('without a word all terms are listed by subject with their first sentence', async () => {
  const text = await explain();
  expect(text).toMatch(/^What is measured\n/);
  expect(text).toMatch(/^Comparing$/m);
  expect(text).toMatch(/^ {2}session {2,}One start or resume of a campaign\.$/m);
  expect(text).not.toContain('The column session names');
});

test('--json gives one term, or all', async () => {
  const one = JSON.parse(await explain('e-value', '--json'));
  expect(one).toMatchObject({ format: 'rooflaw-terms', formatVersion: 1 });
  expect(one.terms).toHaveLength(1);
  expect(one.terms[0]).toMatchObject({ subject: 'Stopping when it is decided', name: 'e-value' });
  expect(JSON.parse(await explain('--json')).terms.length).toBeGreaterThan(100);
});

test('an unknown word is refused with the nearest terms', async () => {
  const error = await explain('intervall').then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RooflawError);
  const { exitStatus, message, hint } = error as RooflawError;
  expect(exitStatus).toBe(2);
  expect(message).toBe('there is no term "intervall"');
  expect(hint).toMatch(/^interval, /);
});

test('the program itself explains, and refuses with status 2', async () => {
  const work = workIn();
  const known = await work.run(['explain', '(g)']);
  expect(known).toMatchObject({ status: 0, stderr: '' });
  expect(known.stdout).toMatch(/^\(g\)\n/);
  const unknown = await work.run(['explain', 'zzzzzzzzzzzz']);
  expect(unknown).toEqual({
    status: 2,
    stdout: '',
    stderr: 'rooflaw: there is no term "zzzzzzzzzzzz"\ntry: rooflaw explain lists all\n',
  });
});

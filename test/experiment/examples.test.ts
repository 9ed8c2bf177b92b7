import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readExperiment } from '../../src/commands/diagnose-request.ts';

const folder = new URL('../../docs/examples/', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.experiment.json'));

test.each(files)('%s can be run as it is', (name) => {
  const path = new URL(name, folder).pathname;
  expect(readExperiment(path)).toEqual(JSON.parse(readFileSync(path, 'utf8')));
});

test('there is an example', () => {
  expect(files.length).toBeGreaterThan(0);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSmallPlan, smallSpace, workIn } from '../support/rooflaw.ts';
import { smallPlan } from '../support/small-plan.ts';

const commands =
  'bench tokens ab gate diagnose pilot plan run status verify seal analyze compare report publish import note space doctor explain completion'.split(
    ' ',
  );
const subcommands = ['import llama-bench', 'space show', 'space design', 'space check'];

test('help lists the commands, the way to begin and the exit statuses', async () => {
  const { status, stdout } = await workIn().run(['--help']);
  expect(status).toBe(0);
  const listed = stdout.slice(stdout.indexOf('Commands:'), stdout.indexOf('Begin with:'));
  const names = [...listed.matchAll(/^ {2}(\S+) /gm)].map((match) => match[1]);
  expect(names).toEqual([...commands, 'help']);
  expect(stdout).toContain('$ rooflaw explain ');
  expect(stdout).toContain('rooflaw completion ');
  expect(stdout).toContain('Exit status:');
});

test.each([...commands, ...subcommands])(
  'the help of %s has a sentence, an example and the exit statuses',
  async (command) => {
    const { status, stdout } = await workIn().run([...command.split(' '), '--help']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\.\n/);
    expect(stdout).toContain(`$ rooflaw ${command}`);
    expect(stdout).toMatch(/^Exit status.*: 0 /m);
    const statuses = stdout.slice(stdout.lastIndexOf('\nExit status')).trim().split('\n\n')[0];
    expect(statuses).not.toMatch(/\.$/);
  },
);

test.each([...commands, ...subcommands])(
  'the help of %s tells no empty default',
  async (command) => {
    const { stdout } = await workIn().run([...command.split(' '), '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).not.toMatch(/default: (false|\[\])/);
  },
);

test('a default that says something stays in the help', async () => {
  const { stdout } = await workIn().run(['doctor', '--help']);
  expect(stdout).toContain('(default: 4)');
});

test.each([
  ['compare', '--across', '"device", "backend", "protocol"'],
  ['import llama-bench', '--format', '"json", "jsonl", "csv", "sql", "md"'],
])('the help of %s lists what %s may be', async (command, option, choices) => {
  const { stdout } = await workIn().run([...command.split(' '), '--help']);
  expect(stdout).toContain(option);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`(choices: ${choices})`);
});

test.each([
  [['no-such-command'], 'unknown command'],
  [['run'], 'missing required argument'],
  [['plan', '--space', 'pilot'], '--protocol'],
  [['plan', '--space', 'pilot', '--protocol', 'v1', '--out', 'x', '--seed', '-1'], 'whole number'],
  [
    ['plan', '--space', 'pilot', '--protocol', 'v1', '--out', 'x', '--target-difference', '10'],
    'fraction',
  ],
  [['plan', '--space', 'nowhere', '--protocol', 'v1', '--out', 'x'], 'pilot'],
  [['plan', '--space', 'pilot', '--protocol', 'nowhere', '--out', 'x'], 'v1-cpu2'],
  [['plan', '--space', 'pocket', '--protocol', 'v1', '--out', 'x', '--question', ''], 'question'],
  [['plan', '--space', 'pocket', '--protocol', 'v1', '--out', 'x', '--name', '../evil'], 'name'],
  [['run', 'missing.plan.json'], 'cannot read the plan'],
  [['analyze', 'missing'], 'there is no campaign'],
  [['verify', '../../etc'], 'there is no campaign'],
  [['run', '--name', '../escape', 'missing'], 'cannot'],
])('%j is refused with status 2 and nothing on standard output', async (args, words) => {
  const work = workIn();
  const { status, stdout, stderr } = await work.run(args);
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(words);
  expect(readdirSync(work.folder)).toEqual([]);
});

test('a malformed plan is refused with every fault, its place, and nothing written', async () => {
  const work = workIn();
  const plan = smallPlan();
  work.write('bad.plan.json', {
    ...plan,
    name: '../up',
    extra: 1,
    models: [{ ...plan.models[0], sha256: 'xyz' }],
    protocol: { ...plan.protocol, processesPerItem: 0 },
  });
  const { status, stderr } = await work.run(['run', 'bad.plan.json']);
  expect(status).toBe(2);
  for (const place of ['name:', 'models[0].sha256:', 'protocol.processesPerItem:', 'extra']) {
    expect(stderr).toContain(place);
  }
  expect(existsSync(join(work.folder, 'campaigns'))).toBe(false);
});

test('a malformed space is refused with every fault and a hint', async () => {
  const work = workIn();
  work.write('space.json', {
    ...smallSpace,
    architectures: [{ ...smallSpace.architectures[0], headDim: 33, kvHeadCount: 3 }],
  });
  const { status, stderr } = await work.run([
    'plan',
    '--space',
    'space.json',
    '--protocol',
    'v1',
    '--out',
    'p.json',
  ]);
  expect(status).toBe(2);
  expect(stderr).toContain('headDim');
  expect(stderr).toContain('kvHeadCount');
  expect(stderr).toContain('try:');
  expect(existsSync(join(work.folder, 'p.json'))).toBe(false);
});

test('a plan is never overwritten', async () => {
  const work = workIn();
  await makeSmallPlan(work);
  const second = await makeSmallPlan(work);
  expect(second.status).toBe(2);
  expect(second.stderr).toContain('exists already');
});

test('text that is not JSON is refused by name', async () => {
  const work = workIn();
  work.write('bad.plan.json', '{"format": ');
  const { status, stderr } = await work.run(['run', 'bad.plan.json']);
  expect(status).toBe(2);
  expect(stderr).toContain('bad.plan.json is not JSON');
});

test('status in an empty folder says that there is nothing yet', async () => {
  const { status, stdout, stderr } = await workIn().run(['status']);
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  expect(stderr).toContain('no campaign');
});

test('every link of the documents leads to a file', () => {
  const root = join(import.meta.dirname, '../..');
  const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'results/README.md'];
  for (const name of readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.md')) documents.push(join('docs', name));
  }
  const missing = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8');
    return [...text.matchAll(/\]\(([^)#:]+)\)/g)]
      .map((match) => join(dirname(document), match[1] ?? ''))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${document} -> ${target}`);
  });
  expect(missing).toEqual([]);
});

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  findPolicySwitch,
  restoreFromJournal,
  switchPolicy,
} from '../../src/device/cpu-policy.io.ts';

/** A folder that looks like the system's, with a policy for each governor. */
function makeSystem(...governors: string[]) {
  const root = mkdtempSync(join(tmpdir(), 'rooflaw-cpufreq-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const pathOf = (policy: number, name = 'scaling_governor') =>
    join(root, 'cpufreq', `policy${policy}`, name);
  governors.forEach((governor, policy) => {
    mkdirSync(join(root, 'cpufreq', `policy${policy}`), { recursive: true });
    writeFileSync(pathOf(policy), `${governor}\n`);
    writeFileSync(pathOf(policy, 'scaling_available_governors'), 'performance powersave\n');
  });
  const read = () => governors.map((_, policy) => readFileSync(pathOf(policy), 'utf8').trim());
  return { root, pathOf, read, journal: join(root, 'journal.json') };
}

test('without policies, as on a virtual machine, it is withheld by name', async () => {
  const { root } = makeSystem();
  expect(await findPolicySwitch('scaling_governor', root)).toEqual({
    withheld: `there is no policy in ${join(root, 'cpufreq')}, as on many virtual machines`,
  });
});

test('an attribute that the kernel does not have is withheld by its path', async () => {
  const { root, pathOf } = makeSystem('powersave');
  expect(await findPolicySwitch('energy_performance_preference', root)).toEqual({
    withheld: `${pathOf(0, 'energy_performance_available_preferences')}: ENOENT`,
  });
});

test('looking changes nothing, and names what all policies can be', async () => {
  const { root, read, pathOf } = makeSystem('powersave', 'performance');
  writeFileSync(pathOf(1, 'scaling_available_governors'), 'powersave performance schedutil\n');
  expect(await findPolicySwitch('scaling_governor', root)).toEqual({
    available: ['performance', 'powersave'],
    current: [
      { policy: 'policy0', value: 'powersave' },
      { policy: 'policy1', value: 'performance' },
    ],
  });
  expect(read()).toEqual(['powersave', 'performance']);
});

test('a switch is undone in every policy, each as it was, and leaves no journal', async () => {
  const { root, read, journal } = makeSystem('powersave', 'performance');
  const switched = await switchPolicy('scaling_governor', 'performance', journal, root);
  expect(read()).toEqual(['performance', 'performance']);
  expect(existsSync(journal)).toBe(true);
  await switched.restore();
  expect(read()).toEqual(['powersave', 'performance']);
  expect(existsSync(journal)).toBe(false);
});

test('what a killed process left changed is put back at the next start, and said', async () => {
  const { root, read, journal } = makeSystem('powersave', 'powersave');
  await switchPolicy('scaling_governor', 'performance', journal, root); // and then it was killed
  expect(await restoreFromJournal(journal, root)).toBe(
    'scaling_governor was put back to powersave, which an earlier session had left changed',
  );
  expect(read()).toEqual(['powersave', 'powersave']);
  expect(await restoreFromJournal(journal, root)).toBeNull();
});

test('killed between two policies, it is put back as well', async () => {
  const { root, read, journal, pathOf } = makeSystem('powersave', 'powersave');
  await switchPolicy('scaling_governor', 'performance', journal, root);
  writeFileSync(pathOf(1), 'powersave'); // as if the second had not been reached
  await restoreFromJournal(journal, root);
  expect(read()).toEqual(['powersave', 'powersave']);
});

test('a policy whose CPU was switched off meanwhile is no error', async () => {
  const { root, journal, pathOf } = makeSystem('powersave', 'powersave');
  const switched = await switchPolicy('scaling_governor', 'performance', journal, root);
  rmSync(join(root, 'cpufreq', 'policy1'), { recursive: true });
  await switched.restore();
  expect(readFileSync(pathOf(0), 'utf8').trim()).toBe('powersave');
  expect(existsSync(journal)).toBe(false);
});

test('a switch over one that was not undone is refused, and nothing is written', async () => {
  const { root, read, journal } = makeSystem('powersave');
  await switchPolicy('scaling_governor', 'performance', journal, root);
  await expect(switchPolicy('scaling_governor', 'powersave', journal, root)).rejects.toThrow(
    'is of a switch that was not undone',
  );
  expect(read()).toEqual(['performance']);
});

test('what cannot be put back is told with the command that does it, and the journal stays', async () => {
  const { root, journal, pathOf } = makeSystem('powersave');
  const switched = await switchPolicy('scaling_governor', 'performance', journal, root);
  rmSync(pathOf(0));
  mkdirSync(pathOf(0)); // nothing can be written there
  await expect(switched.restore()).rejects.toMatchObject({
    code: 'device-unusable',
    faults: [{ where: 'policy0', what: 'should be powersave' }],
    hint: `set it by hand, as root: echo powersave > ${pathOf(0)}`,
  });
  expect(existsSync(journal)).toBe(true);
});

test.each([
  ['no JSON', '{'],
  [
    'a value that is no word',
    JSON.stringify({
      format: 'rooflaw-cpu-policy-journal',
      formatVersion: 1,
      attribute: 'scaling_governor',
      before: [{ policy: 'policy0', value: 'x; reboot' }],
    }),
  ],
  [
    'a policy that leads elsewhere',
    JSON.stringify({
      format: 'rooflaw-cpu-policy-journal',
      formatVersion: 1,
      attribute: 'scaling_governor',
      before: [{ policy: '../policy0', value: 'powersave' }],
    }),
  ],
])('a journal with %s is refused, and nothing is written', async (_, text) => {
  const { root, read, journal } = makeSystem('performance');
  writeFileSync(journal, text);
  await expect(restoreFromJournal(journal, root)).rejects.toMatchObject({ code: 'invalid-input' });
  expect(read()).toEqual(['performance']);
});

test('a pipe in the place of a journal is not waited for', async () => {
  const { root, journal } = makeSystem('performance');
  execFileSync('mkfifo', [journal]);
  await expect(restoreFromJournal(journal, root)).rejects.toThrow('is no regular file');
});

test.skipIf(process.getuid?.() === 0)('without the right to write it is withheld', async () => {
  const { root, pathOf } = makeSystem('powersave');
  chmodSync(pathOf(0), 0o444);
  expect(await findPolicySwitch('scaling_governor', root)).toEqual({
    withheld: `${pathOf(0)}: EACCES`,
  });
});

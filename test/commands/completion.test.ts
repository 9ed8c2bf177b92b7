import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completionOf } from '../../src/commands/completion.ts';
import { printedBy } from '../support/printed-by.ts';
import { workIn } from '../support/rooflaw.ts';

/** Names that would do something if a shell looked into them. */
const campaigns = [
  'pocket',
  'my run',
  "it's",
  'say "hi"',
  '$(touch owned)',
  '`touch owned`',
  'a;touch owned',
  '$HOME',
  'a*',
  'ü',
  '-rf',
];

let folder: string;
let script: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rooflaw-completion-'));
  for (const name of campaigns) mkdirSync(join(folder, 'campaigns', name), { recursive: true });
  writeFileSync(join(folder, 'campaigns', 'file'), '');
  script = join(folder, 'completion.bash');
  const program = fileURLToPath(new URL('../../bin/rooflaw.js', import.meta.url));
  writeFileSync(script, execFileSync(process.execPath, [program, 'completion', 'bash']));
});
afterAll(() => rmSync(folder, { recursive: true }));

function bash(program: string, ...words: string[]): string[] {
  const output = execFileSync('bash', ['--norc', '-c', program, 'bash', script, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  return output.split('\0').slice(0, -1);
}

const ask =
  'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rooflaw; ' +
  `((\${#COMPREPLY[@]} == 0)) || printf '%s\\0' "\${COMPREPLY[@]}"`;

/** What bash would put in place of the last word. */
const complete = (...words: string[]) => bash(ask, 'rooflaw', ...words);

test('commands and the commands of commands are completed', () => {
  expect(complete('pil')).toEqual(['pilot']);
  expect(complete('')).toEqual(
    expect.arrayContaining(['analyze', 'explain', 'completion', 'help']),
  );
  expect(complete('space', '')).toEqual(['show', 'design', 'check', 'help']);
  expect(complete('import', 'll')).toEqual(['llama-bench']);
});

test('options are completed, those of the command only', () => {
  expect(complete('plan', '--sp')).toEqual(['--space']);
  expect(complete('analyze', '--t')).toEqual(['--target-difference']);
  expect(complete('analyze', '--sp')).toEqual([]);
  expect(complete('space', 'design', '--se')).toEqual(['--seed']);
  expect(complete('--v')).toEqual(['--version']);
  expect(complete('status', '--a')).toEqual(['--all']);
  expect(complete('explain', '--m')).toEqual([]); // a hidden option
});

test('the options of llama-bench that bench takes are completed', () => {
  expect(complete('bench', '--n-p')).toEqual(['--n-prompt']);
  const protocols = ['bench', 'few-loads', 'bench-restored', 'few-loads-restored'];
  expect(complete('bench', '-m', 'model.gguf', '--protocol', '')).toEqual(protocols);
  expect(complete('bench', '--hf-r')).toEqual([]); // refused
});

test('ab, gate and tokens complete their own options and those of bench that they take', () => {
  expect(complete('ab', '--max')).toEqual(['--max-rounds']);
  expect(complete('ab', '--proc')).toEqual([]); // --processes is refused
  expect(complete('gate', '--su')).toEqual(['--summary']);
  expect(complete('gate', '--max')).toEqual(['--max-slowdown']);
  expect(complete('tokens', '--budget')).toEqual([]);
  expect(complete('tokens', '--n-d')).toEqual(['--n-depth']);
});

test('values of their options are what each of them takes, and tokens reads campaigns', () => {
  expect(complete('bench', '-o', '')).toEqual(['md', 'csv', 'json', 'jsonl', 'sql']);
  for (const verb of ['ab', 'gate', 'tokens']) {
    expect(complete(verb, '-o', '')).toEqual(['md', 'json']);
    expect(complete(verb, '--output', '')).toEqual(['md', 'json']);
    expect(complete(verb, '--output', '=', 'j')).toEqual(['json']);
  }
  for (const verb of ['ab', 'gate'])
    expect(complete(verb, '--protocol', '')).toEqual(['bench', 'bench-restored']);
  expect(complete('tokens', '--protocol', '')).toEqual(['tokens', 'tokens-restored']);
  expect(complete('tokens', 'poc')).toEqual(['pocket']);
  expect(complete('ab', 'poc')).toEqual([]);
});

test('values of options are completed, with a space or an equals sign', () => {
  expect(complete('plan', '--protocol', 'v1')).toEqual(['v1', 'v1-cpu2']);
  expect(complete('plan', '--space', 'p')).toEqual(['pilot', 'pocket']);
  // bash cuts words at =
  expect(complete('plan', '--space', '=')).toEqual(['llama-25', 'pilot', 'pocket']);
  expect(complete('plan', '--space', '=', 'pi')).toEqual(['pilot']);
  expect(complete('analyze', 'x', '--replay', 'v2')).toEqual(['v2']);
  expect(complete('compare', '--margin', '')).toEqual([]);
  expect(complete('compare', '--across', '')).toEqual(['device', 'backend', 'protocol']);
  expect(complete('import', 'llama-bench', '--format', 'j')).toEqual(['json', 'jsonl']);
});

test('arguments are completed by what they are', () => {
  expect(complete('space', 'show', 'll')).toEqual(['llama-25']);
  expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  expect(complete('completion', 'bash', '')).toEqual([]);
  expect(complete('analyze', 'poc')).toEqual(['pocket']);
  expect(complete('analyze', '--brief', 'poc')).toEqual(['pocket']);
  expect(complete('analyze', '--replay', 'v2', 'poc')).toEqual(['pocket']);
  expect(complete('compare', 'monday', 'poc')).toEqual(['pocket']);
  expect(complete('verify', 'x', '--against', 'poc')).toEqual(['pocket']);
  expect(complete('analyze', 'fil')).toEqual([]); // a file in campaigns/ is none
  expect(complete('explain', 'two')).toEqual(['two\\ speeds']);
});

test('an opening quote is kept in mind', () => {
  expect(complete('explain', '"two')).toEqual(['two speeds']);
  expect(complete('explain', "'two")).toEqual(['two speeds']);
  expect(complete('analyze', '"$(')).toEqual([]);
  expect(complete('analyze', "'it")).toEqual([]);
});

test('bash reads every campaign that is offered as that name, and executes nothing', () => {
  const offered = complete('status', '');
  const read = bash(
    'shift; for word; do eval "set -- $word"; printf "%s\\0" "$@"; done',
    ...offered,
  );
  expect(new Set(read)).toEqual(new Set(campaigns));
  expect(read.length).toBe(campaigns.length);
  expect(complete('status', '\\$\\(')).toEqual(['\\$\\(touch\\ owned\\)']);
  expect(complete('$(touch owned)', '`touch owned`', '')).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(['campaigns', 'completion.bash']);
});

test('an empty folder offers no campaign, with failglob too', () => {
  const program = `cd "$(mktemp -d)"; shopt -s failglob; ${ask}; shopt -q failglob && printf "kept\\0"`;
  expect(bash(program, 'rooflaw', 'status', '')).toEqual(['kept']);
});

/** A program whose words are made to break out of quotes. */
async function scriptOf(shell: string): Promise<string> {
  const register = (program: Command) => {
    program.command("it's").description('x').option("--$(touch$IFS.owned)' <file>", 'x');
  };
  return printedBy(completionOf({ odd: async () => register }), ['completion', shell]);
}

test('words of the program that hold quotes stay words in the script', async () => {
  const odd = join(folder, 'odd.bash');
  writeFileSync(odd, await scriptOf('bash'));
  try {
    const program = ask.replace('"$1"', '"./odd.bash"');
    expect(bash(program, 'rooflaw', 'it')).toEqual(["it\\'s"]);
    expect(bash(program, 'rooflaw', "it's", '--$')).toEqual(["--\\$\\(touch\\$IFS.owned\\)\\'"]);
    expect(readdirSync(folder)).not.toContain('owned');
  } finally {
    rmSync(odd);
  }
});

test('commands come from the program: what is not loaded is not offered', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const text = await scriptOf(shell);
    expect(text).toContain('completion');
    expect(text).not.toContain('analyze');
  }
});

test('both the word rooflaw and the file that an alias stands for are completed', () => {
  const known = bash(
    'source "$1"; printf "%s\\0" "$(complete -p rooflaw)" "$(complete -p rooflaw.js)"',
  );
  expect(known).toEqual([
    'complete -o default -F _rooflaw rooflaw',
    'complete -o default -F _rooflaw rooflaw.js',
  ]);
});

test('the two lines of README.md work in an interactive bash', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const block = /```sh\n(echo "alias rooflaw[\s\S]*?)```/.exec(readme)![1]!;
  const clone = fileURLToPath(new URL('../../', import.meta.url));
  const lines = execFileSync('bash', ['-c', block], { cwd: clone, encoding: 'utf8' });
  expect(lines.trimEnd().split('\n')).toHaveLength(2);
  const rc = join(folder, 'bashrc');
  writeFileSync(rc, lines);
  try {
    // without a terminal bash -i reads its commands from standard input, after the file
    const output = execFileSync('bash', ['--noprofile', '--rcfile', rc, '-i'], {
      input: 'rooflaw --version; complete -p rooflaw\n',
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    expect(output).toMatch(/^\d+\.\d+\.\d+/);
    expect(output).toContain('-F _rooflaw rooflaw');
  } finally {
    rmSync(rc);
  }
});

const installed = ['zsh', 'fish'].filter((shell) => {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

test.runIf(installed.length > 0)('installed shells can parse their scripts', async () => {
  for (const shell of installed) {
    const work = workIn();
    const { stdout } = await work.run(['completion', shell]);
    const file = join(work.folder, work.write('script', stdout));
    expect(() => execFileSync(shell, ['-n', file])).not.toThrow();
  }
});

test('a shell that nobody knows is refused with status 2', async () => {
  const { status, stdout, stderr } = await workIn().run(['completion', 'cmd']);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('bash, zsh, fish');
});

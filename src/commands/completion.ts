import { Argument, type Command } from 'commander';
import { writeBash } from '../report/completion/bash.ts';
import { writeFish } from '../report/completion/fish.ts';
import { writeZsh } from '../report/completion/zsh.ts';
import { describeProgram } from './describe-program.ts';

/** How the program loads each of its commands, by their names. */
type Loaders = Readonly<Record<string, () => Promise<(program: Command) => void>>>;

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish };
type Shell = keyof typeof writers;

/** The command that prints what a shell needs to complete all the others. */
export function completionOf(loaders: Loaders): (program: Command) => void {
  return (program) => {
    program
      .command('completion')
      .description('Print a script by which your shell completes commands, options and names.')
      .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(writers)))
      .addHelpText(
        'after',
        `
Example:
  $ eval "$(rooflaw completion bash)"          # in ~/.bashrc
  $ source <(rooflaw completion zsh)           # in ~/.zshrc, after compinit
  $ rooflaw completion fish > ~/.config/fish/completions/rooflaw.fish

It completes after the words rooflaw and rooflaw.js, not after npx rooflaw. In a clone put this before it:
  alias rooflaw='/path/to/clone/bin/rooflaw.js'
It completes campaigns of the folder you are in, shipped protocols and spaces, and the terms of
rooflaw explain. Print it anew after an update.

Exit status: 0 printed, 2 no such shell`,
      )
      .action(async (shell: Shell) => {
        for (const [name, load] of Object.entries(loaders)) {
          if (!program.commands.some((known) => known.name() === name)) (await load())(program);
        }
        process.stdout.write(writers[shell](describeProgram(program)));
      });
  };
}

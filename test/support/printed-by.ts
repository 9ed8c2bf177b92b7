import { Command } from 'commander';
import { vi } from 'vitest';

/** What a command prints on standard output when it is run in this process. */
export async function printedBy(
  register: (program: Command) => void,
  words: readonly string[],
): Promise<string> {
  let printed = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  try {
    const program = new Command('rooflaw');
    register(program);
    await program.parseAsync(words, { from: 'user' });
  } finally {
    spy.mockRestore();
  }
  return printed;
}

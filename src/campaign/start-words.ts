import type { Launch } from '../formats/treatment.ts';

/** How a trial's process is started. */
export interface StartWords {
  command: string;
  args: readonly string[];
  /** Whether another program stands between the harness and the runner. */
  isWrapped: boolean;
}

/** Runs what follows with address-space randomisation off, in its own place (util-linux). */
const fixedAddresses = ['setarch', '-R'];

/** The words of a process that starts the runner as an arm wants it. */
export function chooseStartWords(
  runner: readonly string[],
  { wrapper, addresses }: Pick<Launch, 'wrapper' | 'addresses'>,
): StartWords {
  const words = [...wrapper, ...(addresses === 'fixed' ? fixedAddresses : []), ...runner];
  return { command: words[0]!, args: words.slice(1), isWrapped: wrapper.length > 0 };
}

import { type Command, InvalidArgumentError } from 'commander';
import { locateCampaign } from '../campaign/locate.io.ts';
import { takeLock } from '../campaign/lock.io.ts';
import { RooflawError } from '../errors.ts';
import { reopenLedger } from '../ledger/append.io.ts';
import { toPrintable } from '../printable.ts';

function parseText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('a note has words');
  return text;
}

export function registerNote(program: Command): void {
  program
    .command('note')
    .description('Add your words to a ledger: what was decided or seen after the plan was made.')
    .argument('<campaign>', 'name, folder or ledger')
    .argument('<text>', 'shown in tables and reports as said after the fact', parseText)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw note pocket "the fan was replaced after round 3"

Exit status: 0 written, 2 no such campaign or no text, 4 not writable, 5 the ledger is not as it was
written, 6 the campaign is running`,
    )
    .action(async (campaign: string, text: string) => {
      const folder = locateCampaign(campaign);
      await using cleanup = new AsyncDisposableStack();
      const lock = await takeLock(folder.lock, folder.name, `campaign ${folder.name}`).catch(
        explainBusy,
      );
      cleanup.defer(lock.release);
      const { writer } = await reopenLedger(folder.ledger, () => {});
      cleanup.defer(() => writer.close());
      if (lock.takenOver !== null) {
        await writer.append({ type: 'note', author: 'rooflaw', text: lock.takenOver });
      }
      await writer.append({ type: 'note', text });
      process.stderr.write(`noted in ${toPrintable(folder.ledger)}\n`);
    });
}

function explainBusy(error: unknown): never {
  if (!(error instanceof RooflawError) || error.code !== 'busy') throw error;
  throw new RooflawError('busy', error.message, {
    hint: 'a note is written between two runs: stop the campaign (it loses one trial begun, no more), add the note and resume, or wait for its end',
    cause: error,
  });
}

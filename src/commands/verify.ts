import type { Command } from 'commander';
import { locateCampaign } from '../campaign/locate.io.ts';
import { exitStatus } from '../errors.ts';
import { verifyLedger } from '../ledger/read.io.ts';

export function registerVerify(program: Command): void {
  program
    .command('verify')
    .description(
      'Check a ledger from the first byte to the last: nothing edited, moved or removed.',
    )
    .argument('<campaign>', 'name, folder or ledger')
    .option('--json', 'the verdict as JSON', false)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw verify pocket

The hash of the last line stands for the whole ledger: write it down elsewhere, and nobody can
change the ledger unseen, not even by making the chain anew.

Exit status: 0 sound, 2 no such ledger, 5 not as it was written`,
    )
    .action(async (campaign: string, { json }: { json: boolean }) => {
      const { ledger } = locateCampaign(campaign);
      const { faults, head, tornBytes } = await verifyLedger(ledger);
      const sound = faults.length === 0;
      if (json) {
        const verdict = {
          ledger,
          sound,
          lines: head.length,
          lastLineSha256: head.sha256,
          tornBytes,
          faults,
        };
        process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`);
      } else {
        const lines = faults.map(
          ({ where, what, hint }) => `${where}: ${what}${hint ? ` (${hint})` : ''}`,
        );
        if (tornBytes > 0) {
          lines.push(
            `${tornBytes} bytes after the last line were cut off by a crash; they are no data`,
          );
        }
        lines.push(
          sound
            ? `${ledger}: sound, ${head.length} lines, last line ${head.sha256}`
            : `${ledger}: NOT as it was written, ${faults.length} faults in ${head.length} lines`,
        );
        process.stdout.write(`${lines.join('\n')}\n`);
      }
      if (!sound) process.exitCode = exitStatus.integrity;
    });
}

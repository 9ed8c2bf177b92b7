import type { Comparison } from '../formats/comparison.ts';
import { formatCampaignsComparison } from './format-comparison-campaigns.ts';
import { formatItemsComparison } from './format-comparison-items.ts';
import { formatSessionsComparison } from './format-comparison-sessions.ts';
import { createTerminal, formatBlock, formatPoint } from './terminal.ts';

/**
 * A comparison for a terminal: the answer first, then what it rests on, then what it does not show.
 * @param options.colour whether ANSI colours may be used: only on a terminal
 * @param options.width columns of the terminal; tables that do not fit are split
 */
export function formatComparison(
  comparison: Comparison,
  options: { colour: boolean; width: number },
): string {
  const terminal = createTerminal(options);
  const caveats = comparison.doesNotShow.flatMap((caveat) => formatPoint(terminal, caveat));
  const lines = [
    ...formatKind(comparison, terminal),
    ...formatBlock(terminal, 'What this does not show', caveats),
  ];
  return `${lines.join('\n')}\n`;
}

function formatKind(comparison: Comparison, terminal: ReturnType<typeof createTerminal>): string[] {
  switch (comparison.kind) {
    case 'items':
      return formatItemsComparison(comparison, terminal);
    case 'campaigns':
      return formatCampaignsComparison(comparison, terminal);
    case 'sessions':
      return formatSessionsComparison(comparison, terminal);
  }
}

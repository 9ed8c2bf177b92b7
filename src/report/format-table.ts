import type { SampleAnalysis } from '../formats/analysis.ts';
import { formatAllocation, formatWarmup } from './blocks/advice.ts';
import { formatAnswer, formatLimits, formatReopening, formatSupport } from './blocks/closure.ts';
import { formatCost, formatDrift, formatFailures, formatNotes } from './blocks/course.ts';
import { formatHead } from './blocks/head.ts';
import { formatItems } from './blocks/items.ts';
import { formatOrder, formatSpeeds, formatSubsets } from './blocks/rounds.ts';
import { formatSequential } from './blocks/sequential.ts';
import {
  createTerminal,
  formatBlock,
  formatLegend,
  formatPoint,
  type Terminal,
} from './terminal.ts';

/**
 * What a campaign or a table of trials says, for a terminal: the answer first, then the items,
 * then what the answer rests on, then what else was seen.
 * @param options.colour whether ANSI colours may be used: only on a terminal
 * @param options.width columns of the terminal; tables that do not fit are split
 * @param options.brief only the head, the items and the answer in sentences
 */
export function formatTable(
  analysis: SampleAnalysis,
  options: { colour: boolean; width: number; brief?: boolean },
): string {
  const terminal = createTerminal(options);
  const blocks = options.brief ? [...briefBlocks, formatRest] : [...briefBlocks, ...furtherBlocks];
  return `${blocks.flatMap((format) => format(analysis, terminal)).join('\n')}\n`;
}

type Block = (analysis: SampleAnalysis, terminal: Terminal) => string[];

/** What a brief reader does not see. */
function formatRest(_: SampleAnalysis, terminal: Terminal): string[] {
  const rest =
    'Without --brief: item by item the trials needed and the smallest target, effects of order and time, drift, cost, and what all this does not show.';
  return ['', ...formatLegend(terminal, rest)];
}

const briefBlocks: readonly Block[] = [formatHead, formatItems, formatSequential, formatAnswer];

const furtherBlocks: readonly Block[] = [
  formatSupport,
  formatLimits,
  formatReopening,
  formatSubsets,
  formatOrder,
  formatSpeeds,
  formatWarmup,
  formatAllocation,
  formatDrift,
  formatRecord,
  formatCaveats,
];

/** What only a ledger knows, or why it is not there. */
function formatRecord(analysis: SampleAnalysis, terminal: Terminal): string[] {
  if (analysis.evidence === 'ledger') {
    return [formatCost, formatFailures, formatNotes].flatMap((format) =>
      format(analysis, terminal),
    );
  }
  return formatBlock(
    terminal,
    'What a table of trials cannot say',
    analysis.absent.flatMap(({ field, reason }) => formatPoint(terminal, `${field}: ${reason}`)),
  );
}

function formatCaveats({ caveats }: SampleAnalysis, terminal: Terminal): string[] {
  return formatBlock(
    terminal,
    'What this does not show',
    caveats.flatMap((caveat) => formatPoint(terminal, caveat)),
  );
}

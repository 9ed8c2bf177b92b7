import type { Tally } from './study.ts';

/** What a share of simulations is held against. */
export interface Goal {
  kind: 'at-most' | 'at-least';
  bound: number;
  /** Whether what the method assumes holds here; without it the share is shown, not judged. */
  isPromised: boolean;
}

/** How many standard errors a share may lie on the wrong side of its bound. */
const allowedErrors = 2;
/** Beyond this many it is no chance. */
export const certainErrors = 4;

export const shareOf = ({ hits, simulations }: Tally): number => hits / simulations;

const standardError = (share: number, simulations: number): number =>
  Math.sqrt((share * (1 - share)) / simulations);

/** How many standard errors (of the bound) beyond the bound; negative on the right side. */
export function errorsBeyond(tally: Tally, { kind, bound }: Goal): number {
  const beyond = (shareOf(tally) - bound) / standardError(bound, tally.simulations);
  return kind === 'at-most' ? beyond : -beyond;
}

export function isMet(tally: Tally, goal: Goal): boolean {
  return errorsBeyond(tally, goal) <= allowedErrors;
}

const percent = (share: number): string => (100 * share).toFixed(2);

/** `4.87 ± 0.15`, and what is to be said of it. */
export function formatShare(tally: Tally, goal?: Goal): string {
  const share = shareOf(tally);
  const figure = `${percent(share)} ± ${percent(standardError(share, tally.simulations))}`;
  if (goal === undefined || isMet(tally, goal)) return figure;
  if (goal.isPromised) return `${figure} **MISSED**`;
  return `${figure} *${goal.kind === 'at-most' ? 'too many' : 'lost'}*`;
}

/** `, 20,000 runs` for the head of a column. */
export const formatRuns = ({ simulations }: Tally): string =>
  `, ${simulations.toLocaleString('en')} runs`;

export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

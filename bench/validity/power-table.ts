import { formatRuns, formatShare, formatTable } from './figure.ts';
import type { Results } from './results.ts';
import { counts, deviations, differences, mostRounds } from './tasks.ts';
import type { WorldKey } from './world.ts';

/** Shares of campaigns in which a real difference is declared, and when. */
export function writePowerTable(results: Results, world: WorldKey): string {
  const fixed = (difference: number, sd: number, n: number, method: string) =>
    results.tally({ study: 'power', world, arms: 2, difference, sd, n }, method);
  const sequential = (difference: number, sd: number, method: string) =>
    results.tally({ study: 'rounds', world, arms: 2, difference, sd, n: mostRounds }, method);
  const runs = formatRuns(fixed(differences[0], deviations[0], counts[0], 'randomisation'));
  const head = [
    `% found${runs}`,
    'sd of a trial',
    ...counts.map((n) => `(g), n = ${n}`),
    'no overlap, n = 10',
    ...['S1', 'S2'].flatMap((method) => [`${method} by round ${mostRounds}`, `${method} rounds`]),
  ];
  const rows = differences.flatMap((difference) =>
    deviations.map((sd) => [
      `difference ${100 * difference} %`,
      `${100 * sd} %`,
      ...counts.map((n) => formatShare(fixed(difference, sd, n, 'randomisation'))),
      formatShare(fixed(difference, sd, 10, 'interval overlap')),
      ...['S1', 'S2'].flatMap((method) => {
        const tally = sequential(difference, sd, method);
        return [formatShare(tally), tally.size!.toFixed(1)];
      }),
    ]),
  );
  return formatTable(head, rows);
}

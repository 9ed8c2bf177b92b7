/** Ten trial means in hundredths of a millisecond, in the order of the rounds; one slow trial. */
export const timesA = [1482n, 1479n, 1485n, 1480n, 1483n, 1478n, 1484n, 1481n, 1694n, 1486n];

/** The same of a steady item. */
export const timesB = [1629n, 1633n, 1627n, 1631n, 1635n, 1626n, 1630n, 1634n, 1628n, 1632n];

/** Logarithms of the times in ns, and of their ratios B/A by round. */
export const logTimesA = timesA.map((time) => Math.log(Number(time) * 1e4));
export const logTimesB = timesB.map((time) => Math.log(Number(time) * 1e4));
export const logRatios = timesA.map((time, round) =>
  Math.log(Number(timesB[round]!) / Number(time)),
);

/** Long series of distinct whole numbers from 0 to 100, and from `base` on. */
export const seriesA = (n: number) => Array.from({ length: n }, (_, i) => (i * 37) % 101);
export const seriesB = (n: number, base: number) =>
  Array.from({ length: n }, (_, i) => ((i * 53 + 11) % 101) + base);

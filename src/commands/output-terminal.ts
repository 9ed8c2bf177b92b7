/** Where nobody says how wide it is: a pipe, or a terminal that reports 0 columns. */
const usualWidth = 120;

/** What the text on stdout may look like. */
export function describeOutput(): { colour: boolean; width: number } {
  const { isTTY, columns } = process.stdout;
  return { colour: isTTY === true, width: columns || usualWidth };
}

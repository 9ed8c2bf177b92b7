/** Fewest insertions, deletions and substitutions that make one text of the other (Levenshtein 1966). */
export function editDistance(from: string, to: string): number {
  const target = [...to];
  let row = Array.from({ length: target.length + 1 }, (_, index) => index);
  for (const [line, character] of [...from].entries()) {
    const next = [line + 1];
    for (const [index, other] of target.entries()) {
      next.push(
        Math.min(
          row[index + 1]! + 1,
          next[index]! + 1,
          row[index]! + (character === other ? 0 : 1),
        ),
      );
    }
    row = next;
  }
  return row.at(-1)!;
}

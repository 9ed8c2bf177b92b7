/**
 * The name that a mistyped one was probably meant to be, or null: at most a third of its characters
 * (rounded) changed, added, left out or swapped with their neighbour. Dashes in front do not count.
 */
export function findNearestName(typed: string, names: readonly string[]): string | null {
  const word = stripDashes(typed);
  const most = Math.floor((word.length + 1) / 3);
  let nearest: string | null = null;
  let least = most + 1;
  for (const name of names) {
    const known = stripDashes(name);
    if (Math.abs(word.length - known.length) >= least) continue; // so many are added or left out
    const distance = editDistance(word, known);
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

function stripDashes(name: string): string {
  return name.replace(/^-+/, '').replaceAll('_', '-').toLowerCase();
}

/** Optimal string alignment: edits and swaps of neighbours, no piece edited twice. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          last[column]! + 1,
          current[column - 1]! + 1,
          last[column - 1]! + (isSame ? 0 : 1),
          isSwap && column > 1 ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length]!;
}

/**
 * Holm's adjusted p-values: the k-th smallest of m becomes the largest of (m - i + 1) p_(i) over
 * i <= k, at most 1. Rejecting what is at most alpha keeps the probability of any false rejection in
 * the family at alpha, under any dependence (Holm 1979, Scand. J. Statist. 6, 65-70).
 * @param pValues in any order; the result has the same
 * @param familySize m, when some of the family have no p-value: those count as 1
 * @throws RangeError for a family smaller than its p-values
 */
export function adjustByHolm(
  pValues: readonly number[],
  familySize: number = pValues.length,
): number[] {
  if (familySize < pValues.length) {
    throw new RangeError(`${pValues.length} p-values are more than a family of ${familySize}`);
  }
  const ascending = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  ascending.forEach((index, place) => {
    largest = Math.max(largest, Math.min(1, (familySize - place) * pValues[index]!));
    adjusted[index] = largest;
  });
  return adjusted;
}

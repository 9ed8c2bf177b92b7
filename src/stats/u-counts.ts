/**
 * Mann-Whitney's U without ties: counts[u] is the number of the C(n+m, n) arrangements of n and m
 * values in which U = u, for u from 0 to `last`. They are the coefficients of the Gaussian binomial
 * prod_{i=1..n} (1 - q^(m+i)) / (1 - q^i) (Mann & Whitney 1947, doi:10.1214/aoms/1177730491).
 */
export function countUArrangements(n: number, m: number, last: number): bigint[] {
  const counts = new Array<bigint>(last + 1).fill(0n);
  counts[0] = 1n;
  for (let i = 1; i <= n; i++) {
    for (let u = last; u >= m + i; u--) counts[u]! -= counts[u - m - i]!;
    for (let u = i; u <= last; u++) counts[u]! += counts[u - i]!;
  }
  return counts;
}

/** C(n, k), exactly. */
export function binomialCoefficient(n: number, k: number): bigint {
  let result = 1n;
  for (let i = 1; i <= k; i++) result = (result * BigInt(n - k + i)) / BigInt(i);
  return result;
}

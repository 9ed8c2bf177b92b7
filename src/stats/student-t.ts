/** Below this the tail is summed itself, since 1 - (nearly 1) would lose its digits. */
const smallTail = 1e-3;

/**
 * Two-sided tail P(|T| >= |t|) of Student's t for the t that belongs to a correlation:
 * t = r sqrt(df / (1 - r^2)). With sin a = |r| and c = cos a, for whole df the tail is 1 less the
 * first terms of a series whose sum is 1, and so also the rest of that series:
 * df even: sin a (1 + 1/2 c^2 + (1 3)/(2 4) c^4 + ...), of which the first df/2;
 * df odd: 2/pi (a + sin a (c + 2/3 c^3 + (2 4)/(3 5) c^5 + ...)), of which the first (df - 1)/2.
 * Source: Abramowitz & Stegun (1964), 26.7.3 and 26.7.4. |r| = 1: 0.
 * @param df degrees of freedom, a positive integer
 */
export function correlationTail(r: number, df: number): number {
  const sine = Math.min(1, Math.abs(r));
  if (sine === 1) return 0;
  const isEven = df % 2 === 0;
  const square = (1 - sine) * (1 + sine); // cosine squared
  const scale = isEven ? sine : (2 / Math.PI) * sine * Math.sqrt(square);
  const ratio = (k: number) => (isEven ? (2 * k + 1) / (2 * k + 2) : (2 * k + 2) / (2 * k + 3));
  const terms = Math.floor(df / 2);
  let term = 1;
  let sum = 0;
  for (let k = 0; k < terms; k++) {
    sum += term;
    term *= ratio(k) * square;
  }
  const head = scale * sum + (isEven ? 0 : (2 / Math.PI) * Math.asin(sine));
  if (1 - head > smallTail) return 1 - head;
  let rest = 0;
  for (let k = terms; term > rest * Number.EPSILON; k++) {
    rest += term;
    term *= ratio(k) * square;
  }
  return scale * rest;
}

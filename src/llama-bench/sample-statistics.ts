import type { SampleStatistics } from '../formats/llama-bench-import.ts';
import { toNumber } from '../stats/fraction.ts';
import { median, sortAscending } from '../stats/median.ts';
import { coefficientOfVariation, variance } from '../stats/variation.ts';

/** Rates are computed as whole multiples of 10^-24 tokens/s, far below a double's last digit. */
const rateScale = 10n ** 24n;
const nsPerSecond = 10n ** 9n;

/**
 * What the samples of one process give, each value rounded once: sums and squares are exact
 * integers. tokens/s comes twice, as llama-bench has it (mean of tokens/time over the samples) and
 * as tokens over the mean time; by the inequality of the harmonic mean the first is never smaller.
 * @param samplesNs at least one positive time
 * @param tokens in each of them
 */
export function describeSamples(samplesNs: readonly bigint[], tokens: number): SampleStatistics {
  const n = BigInt(samplesNs.length);
  const sorted = sortAscending(samplesNs);
  const sum = samplesNs.reduce((total, ns) => total + ns, 0n);
  const rates = samplesNs.map((ns) => (BigInt(tokens) * nsPerSecond * rateScale) / ns);
  const rateSum = rates.reduce((total, rate) => total + rate, 0n);
  return {
    n: samplesNs.length,
    sumNs: String(sum),
    meanNs: toNumber({ numerator: sum, denominator: n }),
    sdNs: standardDeviation(samplesNs, 1n),
    cv: coefficientOfVariation(samplesNs),
    medianNs: toNumber(median(sorted)!),
    minNs: Number(sorted[0]),
    maxNs: Number(sorted.at(-1)),
    tokensPerSecond: {
      meanOfRates: toNumber({ numerator: rateSum, denominator: n * rateScale }),
      sdOfRates: standardDeviation(rates, rateScale),
      overMeanTime: toNumber({ numerator: BigInt(tokens) * nsPerSecond * n, denominator: sum }),
    },
  };
}

/** In units of 1 / `scale`; null for fewer than two values. */
function standardDeviation(values: readonly bigint[], scale: bigint): number | null {
  const spread = variance(values);
  if (spread === null) return null;
  const { numerator, denominator } = spread;
  return Math.sqrt(toNumber({ numerator, denominator: denominator * scale * scale }));
}

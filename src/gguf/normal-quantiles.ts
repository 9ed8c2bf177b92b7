import { sha256Hex } from '../hash.ts';

const count = 65_536;

/**
 * Steps shared out to the intervals near p = 1, by how few are left. With 64 and with 4096 the floats
 * are the same; without any, eight of them differ.
 */
const tailSteps = 256;

/** SHA-256 of the table's 65,536 little-endian floats: part of generator version 1. */
const quantileTableSha256 = '1cfbba1e07e34386a57626f82aeb43e6ed54ba70a3ea6b7d964dc66a841074a8';

/**
 * The standard normal quantiles at (i + 0.5) / 65536 as floats.
 *
 * Between quantile x and density f at probability p hold dx/dp = 1/f and df/dp = -x. From x = 0,
 * f = 1/sqrt(2 pi) at p = 0.5 the classical Runge-Kutta method therefore reaches every quantile with
 * additions, multiplications, divisions and one square root, which IEEE 754 rounds alike on every
 * machine; a library's logarithm or exponential may differ in the last bit.
 *
 * @throws Error when the table is not the frozen one: weights made from it would be others.
 */
export function computeNormalQuantiles(): Float32Array {
  const table = new Float32Array(count);
  let quantile = 0;
  let density = 1 / Math.sqrt(2 * Math.PI);
  const advance = (step: number) => {
    const x1 = 1 / density;
    const f1 = -quantile;
    const x2 = 1 / (density + (step / 2) * f1);
    const f2 = -(quantile + (step / 2) * x1);
    const x3 = 1 / (density + (step / 2) * f2);
    const f3 = -(quantile + (step / 2) * x2);
    const x4 = 1 / (density + step * f3);
    const f4 = -(quantile + step * x3);
    quantile += (step / 6) * (x1 + 2 * x2 + 2 * x3 + x4);
    density += (step / 6) * (f1 + 2 * f2 + 2 * f3 + f4);
  };
  advance(0.5 / count);
  for (let above = count / 2; above < count; above++) {
    table[above] = quantile;
    table[count - 1 - above] = -quantile;
    // The density falls to zero at p = 1.
    const steps = 1 + Math.floor(tailSteps / (count - above));
    for (let step = 0; step < steps; step++) advance(1 / count / steps);
  }
  const sha256 = sha256Hex(new Uint8Array(table.buffer));
  if (sha256 !== quantileTableSha256) {
    throw new Error(
      `the table of normal quantiles has SHA-256 ${sha256}: arithmetic here is not IEEE`,
    );
  }
  return table;
}

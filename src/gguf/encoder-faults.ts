import type { Fault } from '../errors.ts';
import type { Header } from './read-header.ts';

/** Families whose decoder needs what an encoder, or another model, has made of a text before. */
const familiesThatNeedAnEncoder = ['t5', 't5encoder', 'eagle3', 'dflash'];

/** What cannot decode token by token has no cost of doing so. */
export function findEncoderFaults(metadata: Header['metadata'], family: string | null): Fault[] {
  const hint = 'name a model that makes text token by token, from the first one on';
  const causal = metadata.get(`${family}.attention.causal`);
  if (causal?.type === 'bool' && !causal.value) {
    const what =
      'is false: every token looks at those behind it too, as in encoders, embedding models and diffusion; there is no decode to measure';
    return [{ where: `metadata "${family}.attention.causal"`, what, hint }];
  }
  if (family === null || !familiesThatNeedAnEncoder.includes(family)) return [];
  const what = `"${family}" decodes only what an encoder or another model has read before; that is not measured`;
  return [{ where: 'metadata "general.architecture"', what, hint }];
}

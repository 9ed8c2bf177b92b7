import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toNumber } from '../../src/stats/fraction.ts';
import { signFlipTail } from '../../src/stats/sign-flips.ts';

test('the tail is the share of all 2^n signs, tried one by one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 12 }), fc.boolean()), { maxLength: 9 }),
      (signed) => {
        const weights = signed.map(([weight]) => weight);
        const observed = signed.reduce((sum, [weight, plus]) => sum + (plus ? weight : -weight), 0);
        let far = 0;
        for (let signs = 0; signs < 2 ** weights.length; signs++) {
          const flipped = weights.reduce((sum, w, i) => sum + ((signs >> i) & 1 ? w : -w), 0);
          if (Math.abs(flipped) >= Math.abs(observed)) far++;
        }
        const tail = signFlipTail(weights, observed);
        expect(tail.method === 'exact' && toNumber(tail.share)).toBe(far / 2 ** weights.length);
      },
    ),
  );
});

test('sixty equal signs have two of 2^60 choices as far, counted beyond 2^53', () => {
  const weights = Array<number>(60).fill(1);
  expect(signFlipTail(weights, 60)).toEqual({
    method: 'exact',
    share: { numerator: 2n, denominator: 2n ** 60n },
  });
  // All but C(60,30), at which the signs balance.
  expect(signFlipTail(weights, 2)).toEqual({
    method: 'exact',
    share: { numerator: 2n ** 60n - 118264581564861424n, denominator: 2n ** 60n },
  });
});

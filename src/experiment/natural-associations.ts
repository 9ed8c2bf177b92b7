import type { Natural } from '../formats/experiment-result.ts';
import { adjustByHolm } from '../stats/holm.ts';
import { signTest } from '../stats/sign-test.ts';
import { formatCount } from '../units.ts';
import { cyclesRatio } from './metrics.ts';
import type { Kept } from './natural.ts';
import { fewestPairs } from './pair.ts';

/** Lower than this share of the usual frequency of the same work is a dip: half of what makes a repetition slow. */
const dip = 0.975;

type Look = (one: Kept, usualFrequency: number | null) => boolean | null;

/** Each: whether a repetition had it; null where that was not measured. */
const events: Record<string, Look> = {
  'a move to another CPU': ({ times: { counters } }) => {
    if (counters?.migrations !== undefined) return counters.migrations > 0;
    if (counters?.startCpu === undefined || counters.endCpu === undefined) return null;
    return counters.startCpu !== counters.endCpu;
  },
  'an involuntary switch': ({ times: { counters } }) =>
    counters?.involuntarySwitches === undefined ? null : counters.involuntarySwitches > 0,
  'a lower frequency': ({ times }, usual) => {
    const ratio = cyclesRatio(times);
    return ratio === undefined || usual === null ? null : ratio < dip * usual;
  },
};

const alpha = 0.05;

/**
 * Whether slow repetitions have an event more often than the others of the same process. The process is
 * the unit: in each that has both kinds, the share among the slow less the share among the others, and
 * a sign test over the processes, corrected by Holm over the events.
 * @param tooEarly why nothing is tested yet, or null
 */
export function findAssociations(
  kept: readonly Kept[],
  isSlow: (one: Kept) => boolean,
  usualFrequency: number | null,
  tooEarly: string | null,
): Natural['associations'] {
  const looked = Object.entries(events).map(([event, look]) => {
    const seen = kept.flatMap((one) => {
      const has = look(one, usualFrequency);
      return has === null ? [] : [{ block: one.block, has, slow: isSlow(one) }];
    });
    const processes = [...Map.groupBy(seen, ({ block }) => block).values()];
    const differences = processes.flatMap((list) => compareShares(list) ?? []);
    return {
      event,
      notTested: seen.length > 0 ? tooEarly : 'not measured',
      test: signTest(differences),
      processes: differences.length,
      unread: kept.filter((one) => isSlow(one) && look(one, usualFrequency) === null).length,
      slow: kept.filter(isSlow).length,
    };
  });
  const tested = looked.filter(
    ({ processes, notTested }) => processes >= fewestPairs && notTested === null,
  );
  const adjusted = adjustByHolm(
    tested.map(({ test }) => test.pValue),
    Math.max(1, looked.length),
  );
  return looked.map((one) => {
    const place = tested.indexOf(one);
    return conclude(one, place < 0 ? null : adjusted[place]!);
  });
}

function compareShares(list: readonly { has: boolean; slow: boolean }[]): number | null {
  const share = (slow: boolean) => {
    const these = list.filter((one) => one.slow === slow);
    return these.length === 0 ? null : these.filter(({ has }) => has).length / these.length;
  };
  const [slow, other] = [share(true), share(false)];
  return slow === null || other === null ? null : slow - other;
}

interface Looked {
  event: string;
  /** null: it is tested. */
  notTested: string | null;
  test: ReturnType<typeof signTest>;
  processes: number;
  /** Slow repetitions in which it could not be read, and all of them. */
  unread: number;
  slow: number;
}

function conclude(
  { event, notTested, test, processes, unread, slow }: Looked,
  pValue: number | null,
): Natural['associations'][number] {
  const { positive: more, negative: less } = test;
  const counted = { event, processes, more, less, pValue };
  const without =
    unread === 0
      ? ''
      : `; ${unread} of the ${slow} slow ones have no reading of it and are left out`;
  const among = `among ${formatCount(processes, 'process').replace(/processs$/, 'processes')} with slow and other repetitions, slow ones had it more often in ${more}, less often in ${less}${without}`;
  if (notTested !== null)
    return {
      ...counted,
      pValue: null,
      verdict: 'not measured',
      sentence: `${event}: ${notTested}; withheld whether slow repetitions go with it`,
    };
  if (pValue === null)
    return {
      ...counted,
      verdict: 'not distinguishable here',
      sentence: `${event}: not distinguishable here, ${among}, and ${fewestPairs} such processes are needed`,
    };
  if (pValue > alpha || more <= less)
    return {
      ...counted,
      verdict: 'not distinguishable here',
      sentence: `${event}: not distinguishable here, ${among}`,
    };
  return {
    ...counted,
    verdict: 'associated',
    sentence: `${event}: associated with slow repetitions, ${among}; which of the two brings the other, or a third both, is not known`,
  };
}

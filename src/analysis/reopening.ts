import type { DriftAnalysis } from '../formats/analysis.ts';
import type { Closure } from '../formats/closure.ts';
import { formatCount } from '../units.ts';
import { formatLimit } from './format-limit.ts';
import { listWords } from './list-words.ts';
import type { Measurements } from './measurements.ts';

type Reopening = Closure['reopening'][number];

/** What the conditions are judged by, besides the closure itself. */
export interface ReopeningEvidence
  extends Pick<Measurements, 'environmentDifferences' | 'declaration' | 'watchesFirstItem'> {
  drift: readonly DriftAnalysis[];
}

/** The experiment that would look into each condition. */
const experiments: Record<Reopening['condition'], string> = {
  // Frequency read back, with and without pinning, over many rounds: what creeps.
  'reference-drift': 'affinity-frequency',
  // Two settings of the machine side by side: what a difference between sessions costs.
  'environment-mismatch': 'cpu-policy',
  // Delays as they come, with elapsed and CPU time of each: what the spread is made of.
  'uncertainty-too-large': 'natural',
  'tails-are-a-goal': 'natural',
};

/** The conditions under which the diagnosis of delays is taken up again, each judged. */
export function checkReopening(
  closure: Pick<Closure, 'family' | 'items'>,
  { drift, environmentDifferences, declaration, watchesFirstItem }: ReopeningEvidence,
): Reopening[] {
  return [
    conclude('reference-drift', judgeDrift(drift, watchesFirstItem ? 'first item' : 'reference')),
    conclude('environment-mismatch', judgeEnvironment(environmentDifferences)),
    conclude('uncertainty-too-large', judgeUncertainty(closure)),
    conclude('tails-are-a-goal', judgeTails(declaration)),
  ];
}

interface Judgement {
  met: boolean | null;
  why: string;
}

function conclude(condition: Reopening['condition'], { met, why }: Judgement): Reopening {
  if (met !== true) return { condition, met, why, experiment: null };
  const experiment = experiments[condition];
  return {
    condition,
    met,
    why: `${why} Experiment ${experiment} (planned; this version cannot run it) would look into it.`,
    experiment,
  };
}

function judgeDrift(
  drift: readonly DriftAnalysis[],
  watched: 'first item' | 'reference',
): Judgement {
  const evaluated = drift.flatMap((phase) => (phase.state === 'evaluated' ? [phase] : []));
  const exceeded = evaluated.filter((phase) => phase.exceeded);
  if (exceeded.length > 0) {
    const seen = exceeded.map(
      ({ phase, change, threshold }) =>
        `${formatChange(change)} in ${phase} (more than ${formatLimit(threshold)})`,
    );
    return { met: true, why: `The ${watched} drifted by ${seen.join(' and by ')}.` };
  }
  const open = drift.filter(({ state }) => state === 'not-evaluable').map(({ phase }) => phase);
  if (open.length > 0 || drift.length === 0) {
    const where = open.length === 0 ? '' : ` in ${open.join(' and ')}`;
    return { met: null, why: `The drift of the ${watched} cannot be judged${where}.` };
  }
  return { met: false, why: `The ${watched} did not drift by more than the threshold.` };
}

function formatChange(change: number): string {
  return `${change < 0 ? '-' : '+'}${formatLimit(Math.abs(change))}`;
}

function judgeEnvironment(differences: Measurements['environmentDifferences']): Judgement {
  if (differences === null) {
    return { met: null, why: 'Nobody wrote down whether the environment stayed the same.' };
  }
  if (differences.length === 0) {
    return { met: false, why: 'No session found its environment different from the first one.' };
  }
  return {
    met: true,
    why: `The environment did not stay the same: ${listWords(differences)}.`,
  };
}

function judgeUncertainty({ family, items: judged }: Pick<Closure, 'family' | 'items'>): Judgement {
  const { state, items, explorable } = family;
  if (judged.length === 1) return judgeOnlyItem(judged[0]!);
  const open = judged.filter((item) => item.state === 'not-evaluable').length;
  const short = `${open} of ${formatCount(items, 'item')} ${open === 1 ? 'has' : 'have'} too few trials for an interval`;
  if (state === 'not-evaluable') {
    return { met: null, why: items === 0 ? 'There is no item.' : `${short}.` };
  }
  if (state === 'explorable') {
    return { met: false, why: 'Every item is explorable for the target.' };
  }
  return {
    met: true,
    why: `${explorable} of ${formatCount(items, 'item')} ${explorable === 1 ? 'is' : 'are'} explorable for the target; the spread of ${items - explorable - open} is too large${open === 0 ? '' : `, and ${short}`}.`,
  };
}

function judgeOnlyItem({ state }: Closure['items'][number]): Judgement {
  if (state === 'explorable')
    return { met: false, why: 'The only item is explorable for the target.' };
  return state === 'not-evaluable'
    ? { met: null, why: 'The only item has too few trials for an interval.' }
    : {
        met: true,
        why: 'The only item is not explorable for the target; its spread is too large.',
      };
}

function judgeTails(declaration: Measurements['declaration']): Judgement {
  if (declaration === null) return { met: null, why: 'No declaration came with the data.' };
  return declaration.tailsAreAGoal
    ? { met: true, why: 'The plan declares tails a goal.' }
    : { met: false, why: 'The plan does not declare tails a goal.' };
}

import type { SampleAnalysis } from '../formats/analysis.ts';
import type { ComparedPair, ItemsComparison } from '../formats/comparison.ts';
import { isGenerated } from '../formats/plan.ts';
import { formatLimit } from './format-limit.ts';
import { findWithheld } from './withheld.ts';

/** What a comparison of items does not say, most urgent first. */
export function listItemsCaveats(
  comparison: Omit<ItemsComparison, 'doesNotShow'>,
  analysis: SampleAnalysis,
): string[] {
  return [
    ...aboutLooks(analysis),
    ...aboutFamily(comparison),
    ...aboutPairs(comparison),
    ...aboutVerdicts(comparison),
    ...aboutScope(analysis),
  ];
}

function aboutLooks({ protocol, progress, sequential }: SampleAnalysis): string[] {
  if (protocol?.stopping !== undefined) {
    const where =
      sequential === null ? 'this table does not hold them' : '`rooflaw analyze` shows them';
    return [
      `This campaign may stop early by its own data (${protocol.stopping.method}); the p-values and intervals here are for a number of rounds that is fixed before. The decisions that allow for stopping are the campaign’s own: ${where}.`,
    ];
  }
  if (progress.complete !== false) return [];
  return [
    'The campaign is not complete. Whoever looks now and again at the end looks twice, and errs more often than once.',
  ];
}

function aboutFamily({ family }: Omit<ItemsComparison, 'doesNotShow'>): string[] {
  const { size } = family;
  if (size === 1) {
    return [
      'One comparison at 95 %: of 20 pairs that do not differ, at most one would be called different, on average. If this pair was picked because its numbers look different, or is one of several that are looked at, name them all in one comparison: the error of a family is then kept together.',
    ];
  }
  return [
    `The ${size} comparisons are one family: its intervals hold together with a probability of at least 95 %, and p is corrected to match them (both Bonferroni; \`--json\` has Holm’s p too, which is never larger). Pairs that are picked from it afterwards stay in it.`,
  ];
}

function aboutPairs({ pairs }: Omit<ItemsComparison, 'doesNotShow'>): string[] {
  const caveats: string[] = [];
  const lacking = pairs.filter(({ lackingA, lackingB }) => lackingA + lackingB > 0).length;
  if (lacking > 0) {
    caveats.push(
      `${lacking === 1 && pairs.length === 1 ? 'A round without a valid trial of both is' : `In ${lacking} of ${pairs.length} comparisons rounds without a valid trial of both are`} not compared. If failing and being slow go together, the result is off.`,
    );
  }
  const leftOut = pairs.filter((pair) => pair.leftOut !== undefined).length;
  if (leftOut > 0) {
    const where =
      pairs.length === 1
        ? 'Later rounds'
        : `In ${leftOut} of ${pairs.length} comparisons later rounds`;
    caveats.push(
      `${where} were left out, since the campaign’s rule had decided: nothing failed in them.`,
    );
  }
  const matters = pairs.filter(({ orderEffect }) => (orderEffect?.pValue ?? 1) <= 0.05).length;
  if (matters > 0) {
    caveats.push(
      `In ${matters} of ${pairs.length} comparisons the place in the round seems to matter (p at most 0.05, not corrected). The order was drawn at random, so this makes the result less precise, not wrong.`,
    );
  }
  return caveats;
}

function aboutVerdicts({
  margin,
  equivalence,
  pairs,
}: Omit<ItemsComparison, 'doesNotShow'>): string[] {
  const caveats: string[] = [];
  const judged = pairs.filter((pair) => findWithheld(pair) === null);
  const isSmall = ({ verdict, decision }: ComparedPair) =>
    verdict === 'inconclusive' && (decision?.bonferroniPValue ?? 1) <= 0.05;
  if (judged.some(isSmall)) {
    caveats.push(
      `A small p says only that the two differ at all. The verdicts slower and faster also need an interval that lies wholly beyond ${formatLimit(margin)}.`,
    );
  }
  if (judged.some(({ verdict }) => verdict === 'inconclusive')) {
    caveats.push(
      'Inconclusive does not mean equal. The interval says what is excluded: all that lies outside it.',
    );
  }
  if (equivalence === null && judged.length > 0) {
    caveats.push(
      `As a verdict, slower and faster mean by more than ${formatLimit(margin)}. Nothing is called equivalent, because nobody said how much would be: --equivalence 0.02 would.`,
    );
  }
  caveats.push(
    'The intervals take B to differ from A by one factor in all rounds. A difference in tails alone is not in them.',
  );
  return caveats;
}

/** Whether some weights are known to be random; a table without its plan does not say it. */
function hasRandomWeights(analysis: SampleAnalysis): boolean {
  if (analysis.evidence === 'ledger') return analysis.identity.models.some(isGenerated);
  return analysis.weights === 'random' || analysis.weights === 'both';
}

function aboutScope(analysis: SampleAnalysis): string[] {
  const source =
    analysis.evidence === 'trial-table'
      ? ['No ledger vouches for this table: its rows are taken as they are.']
      : [];
  return [
    ...source,
    `It holds for this device, backend and these hours${hasRandomWeights(analysis) ? ', and for random weights' : ''}. It names no cause.`,
  ];
}

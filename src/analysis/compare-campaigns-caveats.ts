import type { Across, CampaignsComparison } from '../formats/comparison.ts';
import { agreementWords, describeAcross, rowsOfAcross } from './comparability-words.ts';

/** What two campaigns beside one another do not say. */
export function listCampaignsCaveats(
  comparison: Omit<CampaignsComparison, 'doesNotShow'>,
): string[] {
  const { a, b, across, agreement, unmatched } = comparison;
  const caveats = [
    'The two campaigns were measured one after the other, not in turns. Whatever changed in between (temperature, load, a restart) is in every change here, so that no test is offered. A difference takes one campaign that measures both in the same rounds.',
    'Differences between campaigns are confounded with session: another day, another temperature, other neighbours on the machine. That holds for every item here.',
  ];
  const unneeded = across.filter((what) => !isThere(what, agreement));
  const seen = across.filter((what) => !unneeded.includes(what));
  if (seen.length > 0) {
    caveats.push(
      `The difference in ${describeAcross(seen, agreement)} is declared to be the question. It cannot be told apart from the session.`,
    );
  }
  if (unneeded.length > 0) {
    caveats.push(`Declared, but not seen: a difference in ${unneeded.join(' and ')}.`);
  }
  const unknown = agreement
    .filter(({ state }) => state === 'not-known')
    .map(({ what }) => agreementWords[what]);
  if (unknown.length > 0) {
    caveats.push(`Whether they agree is not known for: ${unknown.join(', ')}.`);
  }
  if (a.completeRounds !== b.completeRounds) {
    caveats.push(
      'Fewer stable items alone do not mean a worse environment: the flag looks at the range, and more rounds show more rare delays.',
    );
  }
  if (comparison.stable.subsets !== null) {
    caveats.push('Subsets of rounds share their samples; they are no repetitions of the campaign.');
  }
  const left = unmatched.a.length + unmatched.b.length;
  if (left > 0) {
    caveats.push(
      `${left} ${left === 1 ? 'item has' : 'items have'} no counterpart and ${left === 1 ? 'is' : 'are'} left out.`,
    );
  }
  if (a.evidence === 'trial-table' || b.evidence === 'trial-table') {
    caveats.push('No ledger vouches for a public table: its rows are taken as they are.');
  }
  return caveats;
}

function isThere(across: Across, agreement: CampaignsComparison['agreement']): boolean {
  return agreement.some(
    ({ what, state }) => rowsOfAcross[across].includes(what) && state !== 'same',
  );
}

import type { SessionsComparison } from '../formats/comparison.ts';
import { describeAcross } from './comparability-words.ts';

/** Fewer trials than this give no interval of a median either. */
const fewestInSession = 6;

/** What the share of the sessions does not say. */
export function listSessionsCaveats(comparison: Omit<SessionsComparison, 'doesNotShow'>): string[] {
  const { sessions, specimens, across, items, agreement } = comparison;
  const caveats = [
    `${sessions.length} sessions say little about the variance between sessions: with so few, the share may come out far from what more days would give.`,
  ];
  if (specimens === 'other') {
    caveats.push(
      'Session and device are mixed where each device was measured in sessions of its own: what lies between them may be the device, the day or both.',
    );
  }
  if (specimens === 'not-known') {
    caveats.push(
      'Which very device a session ran on is not recorded everywhere, so that a change of the device within its kind is not told from a change of the day.',
    );
  }
  if (across.length > 0) {
    caveats.push(
      `The sessions may differ in ${describeAcross(
        across,
        agreement.flatMap(({ rows }) => rows),
      )}, as declared; that is in the share too.`,
    );
  }
  const short = items.filter(({ fewestTrials }) => fewestTrials < fewestInSession).length;
  if (short > 0) {
    caveats.push(
      `In ${short} of ${items.length} items a session has fewer than ${fewestInSession} valid trials: what lies inside it is then hardly known, and one slow trial can pass for a slow session.`,
    );
  }
  const negative = items.filter(({ isSessionNegative }) => isSessionNegative === true).length;
  if (negative > 0) {
    caveats.push(
      `In ${negative} of ${items.length} items the sessions lie closer together than their trials would make them; their share counts as 0.`,
    );
  }
  caveats.push(
    'Sessions that follow one another closely are no days: what changes slowly is not in them.',
  );
  return caveats;
}

import type { LedgerEntry } from '../formats/ledger.ts';

/** Checks that sessions, stops and crashes follow one another as they can. */
export interface CourseCheck {
  /** Sentences about what is wrong with this entry at this place. */
  next(entry: LedgerEntry): string[];
}

/**
 * One process writes a session, and another only after it has ended: so a trial whose session ended
 * under it has no times, `harness-died` is said by the next session and by no other, nothing is
 * measured in a session that was stopped, and a complete campaign is opened again only to tell of a
 * torn line. Otherwise a slow trial could be called interrupted, and measured again.
 */
export function createCourseCheck(): CourseCheck {
  let isOpen = false;
  /** Somebody else wrote while the trial was open: its session had died. */
  let isOrphaned = false;
  let hasNewSession = false;
  let isStopped = false;
  let hasEnded = false;

  function conclude(entry: Extract<LedgerEntry, { type: 'observed' | 'failed' | 'interrupted' }>) {
    const [wasOrphaned, wasResumed] = [isOrphaned, hasNewSession];
    isOpen = false;
    if (entry.type === 'interrupted' && entry.reason === 'harness-died') {
      return wasResumed ? [] : ['the harness died, and no session began after that'];
    }
    isStopped = entry.type === 'interrupted';
    return wasOrphaned ? [`${entry.type} after the session of the trial had ended`] : [];
  }

  function startSession({ tornLine }: Extract<LedgerEntry, { type: 'session' }>): string[] {
    const isNeedless = hasEnded && tornLine === null;
    const isMisnamed =
      tornLine !== null && tornLine.file !== `ledger.torn-${tornLine.sha256.slice(0, 12)}`;
    isOrphaned = isOpen;
    hasNewSession = true;
    isStopped = false;
    return [
      ...(isNeedless ? ['a session after the end, which measures nothing'] : []),
      ...(isMisnamed ? ['a torn line in a file that is not named by its hash'] : []),
    ];
  }

  return {
    next(entry) {
      switch (entry.type) {
        case 'campaign':
          return [];
        case 'session':
          return startSession(entry);
        case 'note':
          isOrphaned = isOpen;
          return [];
        case 'intended':
          [isOpen, isOrphaned, hasNewSession] = [true, false, false];
          return isStopped ? ['a trial in a session that was stopped'] : [];
        case 'observed':
        case 'failed':
        case 'interrupted':
          return conclude(entry);
        case 'decision':
          return isStopped ? ['a decision in a session that was stopped'] : [];
        case 'end':
          hasEnded = true;
          return isStopped ? ['the end in a session that was stopped'] : [];
      }
    },
  };
}

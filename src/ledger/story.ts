import { formatItem } from '../formats/architecture.ts';
import type { CampaignEntry, LedgerEntry } from '../formats/ledger.ts';
import { identityOf } from '../hash.ts';
import { findPlanFaults } from '../protocol/plan-faults.ts';
import { planTrials, type ScheduledTrial } from '../protocol/schedule.ts';
import { createCourseCheck } from './course-check.ts';
import { createDecisionCheck, type DecisionCheck } from './decision-check.ts';
import { findOutcomeFaults } from './outcome-check.ts';

type OutcomeEntry = Extract<LedgerEntry, { type: 'observed' | 'failed' | 'interrupted' }>;

/** Checks that entries follow one another as a campaign writes them. */
export interface StoryCheck {
  /** Sentences about what is wrong with this entry at this place. */
  next(entry: LedgerEntry): string[];
}

/**
 * The story of a sound ledger: the campaign first and once; a session before any trial; trials
 * intended in the order of the schedule without those that a stopping rule leaves out, each tried
 * again only after it was interrupted; an outcome for the trial just intended and for no other, as it
 * can be (see `findOutcomeFaults`); sessions and crashes as they can be (see `createCourseCheck`); with a stopping rule, after each round the decision that its trials give; the end last, when the
 * schedule or the rule says so, with the right counts. A slow trial that was cut out leaves a gap
 * that shows here.
 */
export function createStoryCheck(): StoryCheck {
  let schedule: ScheduledTrial[] | null = null;
  let decisions: DecisionCheck | null = null;
  let campaign: CampaignEntry | null = null;
  let sessions = 0;
  let nextTrial = 0;
  let attempt = 0;
  let open: { trial: number; attempt: number } | null = null;
  const counts = { observed: 0, failed: 0 };
  let ended = false;
  const course = createCourseCheck();

  function startCampaign(entry: CampaignEntry): string[] {
    if (campaign !== null) return ['a second campaign entry'];
    campaign = entry;
    const faults: string[] = [];
    if (identityOf(entry.plan) !== entry.planSha256)
      faults.push('planSha256 is not the plan’s hash');
    if (entry.plan.protocolSha256 !== entry.protocolSha256) {
      faults.push('protocolSha256 is not the hash of the plan’s protocol');
    }
    if (entry.device !== entry.fingerprint.device) faults.push('device is not the fingerprint’s');
    if (entry.plan.scheduleSeed !== entry.scheduleSeed)
      faults.push('scheduleSeed is not the plan’s');
    faults.push(...findBackendFaults(entry));
    const planFaults = findPlanFaults(entry.plan);
    faults.push(...planFaults.map(({ where, what }) => `plan.${where}: ${what}`));
    if (planFaults.length === 0) {
      schedule = planTrials(entry.plan);
      decisions = createDecisionCheck(entry.plan, schedule);
    }
    return faults;
  }

  function intend(entry: Extract<LedgerEntry, { type: 'intended' }>): string[] {
    const faults: string[] = [];
    if (open !== null) faults.push(`trial ${open.trial} has no outcome before this one`);
    faults.push(...(decisions?.findMissing() ?? []));
    if (decisions?.hasStopped) {
      faults.push(`trial ${entry.trial} after the decision to stop`);
    }
    if (entry.session !== sessions - 1)
      faults.push(`session ${entry.session} is not the current one`);
    if (entry.trial !== nextTrial) {
      faults.push(`trial ${entry.trial} where trial ${nextTrial} of the schedule was due`);
    } else if (entry.attempt !== attempt) {
      faults.push(`attempt ${entry.attempt} where attempt ${attempt} was due`);
    }
    const planned = schedule?.[entry.trial];
    if (schedule !== null) {
      if (planned === undefined) faults.push(`the schedule has no trial ${entry.trial}`);
      else if (!isAsPlanned(entry, planned))
        faults.push('not the item that the schedule puts here');
    }
    open = { trial: entry.trial, attempt: entry.attempt };
    return faults;
  }

  function conclude(entry: OutcomeEntry): string[] {
    const faults: string[] = [];
    if (open === null || open.trial !== entry.trial || open.attempt !== entry.attempt) {
      faults.push(
        `an outcome of trial ${entry.trial}, attempt ${entry.attempt}, which was not running`,
      );
    }
    open = null;
    if (entry.type === 'interrupted') {
      nextTrial = entry.trial;
      attempt = entry.attempt + 1;
      return faults;
    }
    attempt = 0;
    decisions?.conclude(entry);
    nextTrial = decisions?.findDue(entry.trial + 1) ?? entry.trial + 1;
    counts[entry.type] += 1;
    const planned = schedule?.[entry.trial] ?? null;
    return [...faults, ...findOutcomeFaults(entry, planned, campaign)];
  }

  function end(entry: Extract<LedgerEntry, { type: 'end' }>): string[] {
    const faults: string[] = [];
    ended = true;
    if (open !== null) faults.push(`trial ${open.trial} has no outcome`);
    faults.push(...(decisions?.findMissing() ?? []));
    const last = schedule?.length ?? nextTrial;
    if (nextTrial !== last && !decisions?.hasStopped)
      faults.push(`the end after ${nextTrial} of ${last} trials`);
    if (entry.observed !== counts.observed || entry.failed !== counts.failed) {
      faults.push(
        `says ${entry.observed} observed and ${entry.failed} failed, there are ${counts.observed} and ${counts.failed}`,
      );
    }
    return faults;
  }

  return {
    next(entry) {
      const faults = course.next(entry);
      if (entry.type === 'campaign') return startCampaign(entry);
      if (campaign === null) faults.push('comes before the campaign entry');
      if (ended && entry.type !== 'note' && entry.type !== 'session')
        faults.push('comes after the end');
      switch (entry.type) {
        case 'session':
          if (entry.session !== sessions)
            faults.push(`session ${entry.session} where ${sessions} was due`);
          sessions += 1;
          return faults;
        case 'intended':
          return [...faults, ...intend(entry)];
        case 'observed':
        case 'failed':
        case 'interrupted':
          return [...faults, ...conclude(entry)];
        case 'decision':
          return [
            ...faults,
            ...(decisions?.decide(entry) ?? ['a decision where the protocol has no stopping rule']),
          ];
        case 'end':
          return [...faults, ...end(entry)];
        case 'note':
          return faults;
      }
    },
  };
}

/** A plan's variants and the backends that are described must name the same labels. */
function findBackendFaults({ plan, otherBackends = [] }: CampaignEntry): string[] {
  const [first, ...others] = new Set(plan.variants?.map((variant) => variant.backend));
  const described = otherBackends.map(({ label }) => label);
  return [
    ...others
      .filter((label) => !described.includes(label))
      .map((label) => `no backend is described for ${label} of the plan’s variants`),
    ...described
      .filter((label, index) => !others.includes(label) || described.indexOf(label) !== index)
      .map((label) =>
        label === first || described.indexOf(label) !== described.lastIndexOf(label)
          ? `a second backend is described for ${label}`
          : `a backend is described for ${label}, which no variant names`,
      ),
  ];
}

function isAsPlanned(
  entry: Extract<LedgerEntry, { type: 'intended' }>,
  { round, position, item, model }: ScheduledTrial,
): boolean {
  return (
    entry.round === round &&
    entry.position === position &&
    entry.modelSha256 === model.sha256 &&
    formatItem(entry.item) === formatItem(item)
  );
}

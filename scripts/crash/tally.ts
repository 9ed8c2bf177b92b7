/** What happened to campaigns that were killed; every figure is counted, none is derived. */
export interface Tally {
  campaigns: number;
  /** Harness processes that were started: the first of each campaign and every resume. */
  lives: number;
  kills: { harness: number; runner: number; both: number };
  /** Of lives that were killed: what their ledger showed then. */
  stages: {
    beforeFirstEntry: number;
    inATrial: number;
    between: number;
    withHalfALine: number;
    settingTornLineAside: number;
    afterTheEnd: number;
  };
  linesTornByHand: number;
  tornLinesSetAside: number;
  locksTakenOver: number;
  /** Lines whose promise was heard; all are checked. */
  acknowledged: number;
  trials: number;
  /** Trials whose runner was killed: named failures, which are outcomes. */
  failedTrials: number;
  /** Campaigns that were run beside, undisturbed, and steps in which they were the same. */
  undisturbed: { campaigns: number; steps: number };
}

export function emptyTally(): Tally {
  return {
    campaigns: 0,
    lives: 0,
    kills: { harness: 0, runner: 0, both: 0 },
    stages: {
      beforeFirstEntry: 0,
      inATrial: 0,
      between: 0,
      withHalfALine: 0,
      settingTornLineAside: 0,
      afterTheEnd: 0,
    },
    linesTornByHand: 0,
    tornLinesSetAside: 0,
    locksTakenOver: 0,
    acknowledged: 0,
    trials: 0,
    failedTrials: 0,
    undisturbed: { campaigns: 0, steps: 0 },
  };
}

export const countKills = ({ kills }: Tally) => kills.harness + kills.runner + kills.both;

export function describeTally(tally: Tally): string {
  const { kills, stages } = tally;
  return [
    `${countKills(tally)} kills: harness ${kills.harness}, runner ${kills.runner}, both ${kills.both}`,
    `a killed harness left its campaign before the first entry ${stages.beforeFirstEntry}, in a trial ${stages.inATrial}, between two ${stages.between}, with half a line ${stages.withHalfALine}, setting a torn line aside ${stages.settingTornLineAside}, after the end ${stages.afterTheEnd}`,
    `${tally.campaigns} campaigns in ${tally.lives} lives (${tally.lives - tally.campaigns} resumes), ${tally.locksTakenOver} of them with locks taken over`,
    `${tally.linesTornByHand} lines torn by hand, ${tally.tornLinesSetAside} torn lines set aside and told of`,
    `${tally.trials} trials, each with one outcome (${tally.failedTrials} failed: their runner was killed)`,
    `${tally.undisturbed.campaigns} of ${tally.campaigns} campaigns compared with one that ran undisturbed beside: ${tally.undisturbed.steps} steps (plan and seed, each trial's place, item, model, outcome and times, decisions, end) in the same order`,
    `${tally.acknowledged} acknowledged lines, all there once and unchanged`,
  ].join('\n');
}

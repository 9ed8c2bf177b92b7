import type { Analysis } from '../formats/analysis.ts';
import { slowThreshold } from '../stats/tail.ts';
import { formatLimit } from './format-limit.ts';
import { commitOfV1, isCommitOfV1 } from './identity.ts';

/** What the numbers do not say, most urgent first; every table and report carries these. */
export function listCaveats(analysis: Omit<Analysis, 'caveats'>): string[] {
  return [
    ...aboutRules(analysis),
    ...aboutCompleteness(analysis),
    ...aboutConditions(analysis),
    ...aboutStatistics(analysis),
    ...aboutScope(analysis),
  ];
}

function aboutRules({ identity }: Omit<Analysis, 'caveats'>): string[] {
  const { protocol, backend, isV1 } = identity;
  if (!isV1) {
    const pretends = protocol.name === 'v1' ? ' It calls itself v1, but its hash is another.' : '';
    return [
      `Protocol ${protocol.name} is not v1.${pretends} Its numbers have baselines of their own and cannot be put beside those of v1.`,
    ];
  }
  if (isCommitOfV1(backend.commit)) return [];
  const commit = backend.commit ?? 'unknown';
  return [
    `v1 was frozen for llama.cpp commit ${commitOfV1.slice(0, 12)}; the commit of this backend is ${commit}, so only the rules are the same.`,
  ];
}

function aboutCompleteness({ progress, protocol }: Omit<Analysis, 'caveats'>): string[] {
  const { planned, observed, failed, complete } = progress;
  const caveats: string[] = [];
  if (!complete) {
    caveats.push(
      `The campaign is incomplete: ${observed + failed} of ${planned} trials have an outcome, so n can differ between items and the last rounds are missing.`,
    );
  }
  if (failed > 0) {
    caveats.push(
      `${count(failed, 'trial')} failed and ${failed === 1 ? 'has' : 'have'} no time; n counts valid trials only. If failing and being slow go together, the times look better than they are.`,
    );
  }
  const { warmup, kept } = protocol.repetitions;
  const warmupRule =
    warmup === 0
      ? ''
      : ` The first ${count(warmup, 'repetition')} of each process ${warmup === 1 ? 'is' : 'are'} warm-up by the protocol, not by their times.`;
  caveats.push(
    `Nothing was removed: every valid trial counts, slow or not.${warmupRule}`,
    kept === 1
      ? 'n counts processes.'
      : `n counts processes. The ${kept} kept repetitions inside one share its state and are no samples of their own.`,
  );
  return caveats;
}

function aboutConditions(analysis: Omit<Analysis, 'caveats'>): string[] {
  const { sessions, boots, otherUse, notes } = analysis;
  const caveats: string[] = [];
  if (sessions.length > 1) {
    const across = boots !== null && boots > 1 ? ` across ${boots} system starts` : '';
    caveats.push(
      `It was measured in ${sessions.length} sessions${across}; what differed between them is mixed into the spread.`,
    );
  }
  const different = sessions.filter(({ differences }) => differences.length > 0).length;
  if (different > 0) {
    caveats.push(
      `In ${count(different, 'session')} the environment differed from the start (listed under sessions).`,
    );
  }
  const looked = otherUse.seen + otherUse.notSeen + otherUse.notVisible;
  if (otherUse.seen > 0) {
    caveats.push(`Work of others on the device was seen in ${otherUse.seen} of ${looked} trials.`);
  }
  if (otherUse.notVisible > 0) {
    caveats.push(
      `Whether others used the device was not visible for ${otherUse.notVisible} of ${looked} trials.`,
    );
  }
  if (notes.length > 0) {
    caveats.push(
      `${count(notes.length, 'note')} ${notes.length === 1 ? 'was' : 'were'} written after the plan was fixed: what ${notes.length === 1 ? 'it says' : 'they say'} is after the fact.`,
    );
  }
  return caveats;
}

function aboutStatistics({ protocol, items, drift, declaration }: Omit<Analysis, 'caveats'>) {
  const { stable, drift: driftRule } = protocol.flags;
  const caveats = [
    `The stable flag is no test of equivalence. It says that the relative range is at most ${formatLimit(stable.maxRelativeRange)} and the CV inside every trial at most ${formatLimit(stable.maxInTrialCv)}, compared exactly, not as printed. More trials show more rare delays, so fewer flags alone do not mean a worse environment.`,
    `The drift threshold of ${formatLimit(driftRule.above)} is an operating rule and was not validated. It marks a campaign for review and removes nothing.`,
  ];
  const seen = drift.find((phase) => phase.state === 'evaluated');
  if (seen !== undefined) {
    caveats.push(
      `With ${seen.rounds} rounds a steady drift must exceed ${formatLimit(seen.linearDriftToReach)} from the first to the last to be flagged.`,
    );
  }
  if (items.some(({ interval }) => interval !== null)) {
    caveats.push(
      `Each interval is for the median of one item, if its trials are independent and alike. Together the ${items.length} intervals cover less than each alone, and they are no test of a difference between two items.`,
    );
  }
  caveats.push(
    `Tails are reported apart: max/median and the trials above ${slowThreshold} x median describe these trials; delays rarer than one in n remain unseen.`,
  );
  if (declaration.tailsAreAGoal) {
    caveats.push('The plan declares tails a goal; these columns alone do not answer it.');
  }
  return caveats;
}

function aboutScope({ identity }: Omit<Analysis, 'caveats'>): string[] {
  return [
    `The weights are random: speed is measured, text quality is not, and whether trained weights take the same paths was not checked.`,
    `It holds for ${identity.fingerprint.deviceDescription} with this backend in these hours. Other days, devices and builds need campaigns of their own.`,
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

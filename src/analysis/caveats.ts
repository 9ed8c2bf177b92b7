import { type Analysis, isByPerson, type TableAnalysis } from '../formats/analysis.ts';
import { formatItem } from '../formats/architecture.ts';
import { isGenerated } from '../formats/plan.ts';
import { formatCount } from '../units.ts';
import { commitOfV1, isCommitOfV1 } from './identity.ts';
import { aboutCompleteness, aboutStatistics } from './sample-caveats.ts';

/** What the numbers do not say, most urgent first; every table and report carries these. */
export function listCaveats(analysis: Omit<Analysis, 'caveats'>): string[] {
  return [
    ...aboutRules(analysis),
    ...aboutCompleteness(analysis),
    ...aboutConditions(analysis),
    ...aboutStopping(analysis),
    ...aboutFirstItem(analysis),
    ...aboutUnwatched(analysis),
    ...aboutVariants(analysis),
    ...aboutStatistics(analysis),
    ...aboutScope(analysis),
  ];
}

/** The same for a public table of trials. */
export function listTableCaveats(analysis: Omit<TableAnalysis, 'caveats'>): string[] {
  const { protocolName, device } = analysis;
  return [
    'No ledger vouches for this table: that these are the times that were measured, all of them, is the word of whoever published it. With the ledger, `rooflaw verify --against` recomputes every trial mean.',
    ...aboutCompleteness(analysis),
    ...aboutStopping(analysis),
    ...aboutUnwatched(analysis),
    ...aboutStatistics(analysis),
    `It holds for ${device} under the rules that the table calls ${protocolName}. Other days, devices and builds need campaigns of their own.`,
  ];
}

function aboutRules({ identity }: Omit<Analysis, 'caveats'>): string[] {
  const { protocol, backend, isV1 } = identity;
  if (!isV1 && protocol.shippedAs === 'v1') {
    return [
      'The rules of protocol v1 were kept only in part: variants or conditions have other settings or another work than it says. Its numbers have baselines of their own and cannot be put beside those of v1.',
    ];
  }
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
      `In ${formatCount(different, 'session')} the environment differed from the start (listed under sessions).`,
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
  const afterwards = notes.filter(isByPerson).length;
  if (afterwards > 0) {
    caveats.push(
      `${formatCount(afterwards, 'note')} ${afterwards === 1 ? 'was' : 'were'} written after the plan was fixed: what ${afterwards === 1 ? 'it says' : 'they say'} is after the fact.`,
    );
  }
  return caveats;
}

function aboutStopping({ protocol }: Pick<TableAnalysis, 'protocol'>): string[] {
  if (protocol?.stopping === undefined) return [];
  const what =
    protocol.stopping.measured === 'open'
      ? 'how many rounds were measured, and which items in them'
      : 'how many rounds were measured';
  return [
    `A stopping rule decided from the data ${what}. Its guarantee is for its own comparisons; the intervals and tests of single items assume a number of trials that was fixed before.`,
  ];
}

/** Where the protocol has no reference of its own. */
function aboutFirstItem({ protocol, items }: Omit<Analysis, 'caveats'>): string[] {
  if (protocol.reference !== 'first-condition') return [];
  const first = items.filter(({ isReference }) => isReference);
  const watched = new Set(first.map(({ phase }) => phase));
  const unwatched = protocol.phases.filter((phase) => !watched.has(phase));
  const rest =
    unwatched.length === 0
      ? ''
      : ` No item of ${unwatched.join(' or ')} is looked at for it: a drift that shows there alone stays unseen.`;
  return [
    `The protocol has no reference of its own: the plan’s first item of each phase (${first.map(formatItem).join('; ')}) is looked at for drift in its place.${rest}`,
  ];
}

/** Where the stopping rule did without what is looked at for drift. */
function aboutUnwatched({ drift, items }: Pick<TableAnalysis, 'drift' | 'items'>): string[] {
  const unwatched = drift.flatMap(({ phase, leftOutAfter }) => {
    const watched = items.find((item) => item.isReference && item.phase === phase);
    return leftOutAfter === undefined || watched === undefined
      ? []
      : [`${formatItem(watched)} after round ${leftOutAfter}`];
  });
  if (unwatched.length === 0) return [];
  return [
    `The stopping rule left out what is looked at for drift, since all its comparisons were decided: ${unwatched.join('; ')}. A drift in later rounds of that phase stays unseen.`,
  ];
}

function aboutVariants({ identity }: Omit<Analysis, 'caveats'>): string[] {
  const { variants, otherBackends } = identity;
  if (variants === undefined || variants.length < 2) return [];
  const several = otherBackends === undefined ? '' : ` on ${otherBackends.length + 1} backends`;
  return [
    `${formatCount(variants.length, 'variant')}${several} were measured in the same randomised rounds. Which of them is the best was not fixed before: the one that is picked after looking owes part of its lead to luck, and holds only for these settings. \`rooflaw compare\` tests a pair.`,
  ];
}

function aboutScope({ identity }: Omit<Analysis, 'caveats'>): string[] {
  const { models, fingerprint, otherBackends } = identity;
  const backends = otherBackends === undefined ? 'this backend' : 'these backends';
  return [
    ...(models.some(isGenerated)
      ? [
          'The weights are random: speed is measured, text quality is not, and whether trained weights take the same paths was not checked.',
        ]
      : []),
    ...(models.every(isGenerated)
      ? []
      : [
          'Files are named by the hash of their bytes; of what they hold only the header was read. What they cost is measured, the quality of their text is not looked at. The tokens that are fed are random, and a model of experts may take other paths with real text.',
        ]),
    `It holds for ${fingerprint.deviceDescription} with ${backends} in these hours. Other days, devices and builds need campaigns of their own.`,
  ];
}

import type { Analysis, TableAnalysis } from '../formats/analysis.ts';
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
    ...aboutStatistics(analysis),
    `It holds for ${device} under the rules that the table calls ${protocolName}. Other days, devices and builds need campaigns of their own.`,
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
  if (notes.length > 0) {
    caveats.push(
      `${formatCount(notes.length, 'note')} ${notes.length === 1 ? 'was' : 'were'} written after the plan was fixed: what ${notes.length === 1 ? 'it says' : 'they say'} is after the fact.`,
    );
  }
  return caveats;
}

function aboutStopping({ protocol }: Pick<TableAnalysis, 'protocol'>): string[] {
  if (protocol?.stopping === undefined) return [];
  return [
    'A stopping rule decided from the data how many rounds were measured. Its guarantee is for its own comparisons; the intervals and tests of single items assume a number of trials that was fixed before.',
  ];
}

function aboutScope({ identity }: Omit<Analysis, 'caveats'>): string[] {
  return [
    `The weights are random: speed is measured, text quality is not, and whether trained weights take the same paths was not checked.`,
    `It holds for ${identity.fingerprint.deviceDescription} with this backend in these hours. Other days, devices and builds need campaigns of their own.`,
  ];
}

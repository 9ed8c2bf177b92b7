import type { Analysis } from '../formats/analysis.ts';
import { formatCount } from '../units.ts';
import { describeDisturbance } from './disturbance-words.ts';
import { describeDrift } from './drift-words.ts';
import { callWatched, nameFirstItem } from './reference-words.ts';

/** What the ledger says of the hours of measuring, in lines: others at work, drift, sessions. */
export function describeCourse(analysis: Analysis): string[] {
  return [
    ...describeOthers(analysis),
    ...analysis.drift.map((drift) => {
      const name = nameFirstItem(analysis, drift.phase);
      const place = name === null ? drift.phase : `${name} ${drift.phase}`;
      return `Drift of ${callWatched(analysis)}, ${place}: ${describeDrift(drift, analysis)}`;
    }),
    ...describeSessions(analysis),
  ];
}

function describeOthers(analysis: Analysis): string[] {
  const { seen, notSeen, notVisible } = analysis.otherUse;
  const looked = formatCount(seen + notSeen + notVisible, 'trial');
  const disturbance = describeDisturbance(analysis);
  return [
    disturbance ?? `Others were seen at work on the device in none of ${looked}.`,
    ...(notVisible > 0
      ? [`Whether others used the device was not visible for ${notVisible} of ${looked}.`]
      : []),
  ];
}

function describeSessions({ sessions, boots }: Analysis): string[] {
  const across = boots !== null && boots > 1 ? ` across ${boots} system starts` : '';
  const changed = sessions.filter(({ differences }) => differences.length > 0);
  const same = changed.length === 0 ? '; no difference of the environment was seen' : '';
  return [
    `Measured in ${formatCount(sessions.length, 'session')}${across}${same}.`,
    ...changed.map(
      ({ session, differences }) =>
        `In session ${session} the environment differed: ${differences.join(' ')}`,
    ),
  ];
}

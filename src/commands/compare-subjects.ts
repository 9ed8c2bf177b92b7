import { type Fault, throwFaults } from '../errors.ts';

/** What the words after `rooflaw compare` ask about. */
export type Subjects =
  | { kind: 'items'; campaign: string; a: string; b: string }
  | { kind: 'campaigns'; a: string; b: string }
  | { kind: 'sessions'; campaigns: [string, ...string[]] };

export interface SubjectOptions {
  sessions: boolean;
  margin?: number;
  equivalence?: number;
  across: readonly string[];
}

/** `architecture=mid,phase=decode`; names of campaigns have no equals sign, and paths have slashes. */
const selector = /^\s*\w+\s*=[^/\\:]*$/;
const scopedSelector = /^(.+):(\s*\w+\s*=[^/\\:]*)$/;

const forms =
  'CAMPAIGN A B compares items, CAMPAIGN1 CAMPAIGN2 campaigns, --sessions CAMPAIGN … sessions';

/**
 * Reads the words, and refuses options that mean nothing for what is asked.
 * @param isSame whether two words name one campaign
 * @throws RooflawError `invalid-input` with all faults
 */
export function readSubjects(
  words: readonly string[],
  options: SubjectOptions,
  isSame: (a: string, b: string) => boolean,
): Subjects {
  const faults: Fault[] = [];
  const subjects = options.sessions
    ? readSessions(words, faults)
    : readOthers(words, isSame, faults);
  if (subjects !== null) faults.push(...findUselessOptions(subjects, options));
  throwFaults('rooflaw compare', faults);
  return subjects!; // without faults there are subjects
}

function readSessions(words: readonly string[], faults: Fault[]): Subjects | null {
  for (const word of words.filter((each) => selector.test(each) || scopedSelector.test(each))) {
    const what = 'is no campaign; sessions are compared over all items';
    faults.push({ where: word, what, hint: 'leave it out' });
  }
  const [first, ...others] = words;
  return first === undefined ? null : { kind: 'sessions', campaigns: [first, ...others] };
}

function readOthers(
  words: readonly string[],
  isSame: (a: string, b: string) => boolean,
  faults: Fault[],
): Subjects | null {
  const [first, second, third] = words;
  if (words.length === 3 && selector.test(second!) && selector.test(third!)) {
    return { kind: 'items', campaign: first!, a: second!, b: third! };
  }
  const scoped = words.map((word) => scopedSelector.exec(word));
  const isPlain = words.every((word, at) => scoped[at] === null && !selector.test(word));
  if (words.length === 2 && isPlain) return { kind: 'campaigns', a: first!, b: second! };
  const [a, b] = scoped;
  if (words.length !== 2 || !a || !b) {
    const what = words.length === 1 ? 'names one thing only' : 'is none of the forms';
    faults.push({ where: words.join(' '), what, hint: forms });
    return null;
  }
  if (isSame(a[1]!, b[1]!)) return { kind: 'items', campaign: a[1]!, a: a[2]!, b: b[2]! };
  faults.push({
    where: words.join(' '),
    what: 'items of two campaigns were not interleaved: their difference is confounded with the session',
    hint: `\`rooflaw compare ${a[1]} ${b[1]}\` shows the two campaigns beside one another`,
  });
  return null;
}

function findUselessOptions(subjects: Subjects, options: SubjectOptions): Fault[] {
  const useless = (where: string, what: string) => ({ where, what, hint: 'leave it out' });
  if (subjects.kind === 'items') {
    return options.across.length === 0
      ? []
      : [useless('--across', 'items of one campaign have one device, backend and protocol')];
  }
  return (['margin', 'equivalence'] as const).flatMap((option) =>
    options[option] === undefined
      ? []
      : [useless(`--${option}`, 'there is no verdict here that it could be for')],
  );
}

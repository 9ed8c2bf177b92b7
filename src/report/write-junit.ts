import type { Gate, GateTest } from '../formats/ab.ts';
import { toPrintable } from '../printable.ts';
import { describeAssumption } from './format-ab.ts';
import {
  describeAgain,
  describeCandidate,
  listGateDoubts,
  warnOf,
  withholdVerdicts,
} from './format-gate.ts';

/** `fit` says nothing; the others make a test case red, apart from `skipped`. */
interface TestCase {
  name: string;
  kind: 'passed' | 'failure' | 'error' | 'skipped';
  type: string;
  message: string;
}

const suiteName = 'rooflaw gate';
/** What every such file begins with, after the line of XML. */
export const junitMark = `<testsuites name="${suiteName}" `;
const againName = 'A/A: base against itself';

/**
 * JUnit XML of a gate: a test case for the A/A arm and one for each test; one for all when nothing was
 * measured. A regression is a `failure`, what could not be told an `error`, what was not judged because the
 * machine is unfit `skipped`. What was seen of the machine stands once, in the case of the A/A arm.
 */
export function formatJunit(gate: Gate): string {
  const cases = listCases(gate);
  const count = (kind: TestCase['kind']) => cases.filter((one) => one.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  const time = (gate.tookNs / 1e9).toFixed(3);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `${junitMark}${counts} time="${time}">`,
    `  <testsuite name="${suiteName}" ${counts} time="${time}">`,
    ...cases.flatMap(writeCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function listCases(gate: Gate): TestCase[] {
  const { verdict, reason, maxSlowdown, measured } = gate;
  if (measured === null)
    return [{ name: 'measuring', kind: 'error', type: verdict, message: reason }];
  const { tests } = measured;
  const limit = maxSlowdown!;
  const withheld = withholdVerdicts(gate);
  const doubts = listGateDoubts(gate);
  const doubt = doubts.length === 0 ? '' : `; in doubt: see ${doubts.join(', ')} in ${againName}`;
  const unfit = tests.filter(({ fitness }) => fitness !== 'fit');
  const again: TestCase = {
    name: againName,
    kind: unfit.length === 0 ? 'passed' : 'error',
    type: verdict === 'unfit' ? 'unfit' : 'inconclusive',
    message: [
      ...(unfit.length === 0 ? tests : unfit).map((test) => describeAgain(test, limit)),
      ...warnOf(measured),
      ...(doubts.length === 0
        ? []
        : [`All verdicts are in doubt: ${describeAssumption(measured.alpha)}.`]),
    ].join(' '),
  };
  const broken: TestCase[] =
    verdict === 'broken'
      ? [{ name: 'measuring', kind: 'error', type: verdict, message: reason }]
      : [];
  return [
    ...broken,
    again,
    ...tests.map((test) => ({
      name: test.name,
      kind: kindOf(test, verdict),
      type: test.verdict,
      message:
        withheld === null
          ? `${describeCandidate(test, limit).slice(0, -1)}${doubt}.`
          : `${test.name}: not judged: ${withheld}.`,
    })),
  ];
}

function kindOf(test: GateTest, verdict: Gate['verdict']): TestCase['kind'] {
  if (verdict === 'unfit' || verdict === 'broken') return 'skipped';
  return ({ pass: 'passed', regression: 'failure', inconclusive: 'error' } as const)[test.verdict];
}

function writeCase({ name, kind, type, message }: TestCase): string[] {
  const head = `    <testcase classname="${suiteName}" name="${escapeXml(name)}">`;
  const text = escapeXml(message);
  const typed = kind === 'skipped' ? '' : ` type="${type}"`;
  const inside =
    kind === 'passed'
      ? `      <system-out>${text}</system-out>`
      : `      <${kind}${typed} message="${text}"/>`;
  return [head, inside, '    </testcase>'];
}

/** For text and for attributes in double quotes; what XML 1.0 cannot hold, or would steer a log, is U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .split(/([\t\n\r])/)
    .map((part) => (/^[\t\n\r]$/.test(part) ? part : toPrintable(part)))
    .join('')
    .replace(/[\ufffe\uffff]/g, '\u{fffd}')
    .replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

import type { SampleAnalysis } from '../../formats/analysis.ts';
import { toPrintable } from '../../printable.ts';
import { formatCount } from '../../units.ts';
import {
  answerQuestion,
  askQuestion,
  describePrice,
  describeTarget,
  explored,
  offerAnother,
} from '../closure-words.ts';
import { describeDisturbance } from '../disturbance-words.ts';
import { describeMarkedDrift } from '../drift-words.ts';
import { describeProgress } from '../progress-words.ts';
import type { Terminal } from '../terminal.ts';
import { wrapText } from '../text-layout.ts';

/** What a busy reader wants first: how much was measured, whether it answers, where it is from. */
export function formatHead(analysis: SampleAnalysis, terminal: Terminal): string[] {
  const { name, items, closure, declaration } = analysis;
  const { width, paint } = terminal;
  const stable = items.filter((item) => item.stable === true).length;
  const price = describePrice(analysis);
  const say = (text: string) => wrapText(toPrintable(text), width);
  return [
    ...formatWarnings(analysis, terminal),
    ...say(
      `${name}: ${describeProgress(analysis)}; ${stable} of ${formatCount(items.length, 'item')} ${stable === 1 ? 'carries' : 'carry'} the stable flag`,
    ).map((line) => paint('bold', line)),
    ...say(`${askQuestion(closure)} ${answerQuestion(closure)}`).map((line) => paint('bold', line)),
    ...say(explored),
    ...(price === null ? [] : say(price)),
    ...say(describeTarget(analysis)).map((line) =>
      closure.targetSource === 'command-line' ? paint('yellow', line) : line,
    ),
    ...(closure.targetSource === 'command-line' ? [] : say(offerAnother(closure))),
    ...(declaration === null ? [] : say(`Question: ${declaration.question}`)),
    ...formatOrigin(analysis, terminal),
  ];
}

/** What must be read before any number: others at work, and a drift that is marked. */
function formatWarnings(analysis: SampleAnalysis, { width, paint }: Terminal): string[] {
  const disturbance = analysis.evidence === 'ledger' ? describeDisturbance(analysis) : null;
  return [disturbance, describeMarkedDrift(analysis)].flatMap((words) =>
    words === null ? [] : wrapText(words, width).map((line) => paint('red', line)),
  );
}

function formatOrigin(analysis: SampleAnalysis, { width, paint }: Terminal): string[] {
  const say = (text: string) => wrapText(toPrintable(text), width);
  if (analysis.evidence === 'trial-table') {
    const rules =
      analysis.rules.source === 'protocol'
        ? 'Flags are by the rules of the protocol that came with it.'
        : 'No protocol came with it: flags are by the rules of v1.';
    return [
      ...say('From a table of trials: NO LEDGER vouches for these numbers.').map((line) =>
        paint('yellow', line),
      ),
      ...say(
        `Protocol ${analysis.protocolName} on device ${analysis.device}, as the table names them. ${rules}`,
      ),
    ];
  }
  const { identity } = analysis;
  return [
    ...say(identity.label).map((line) => paint(identity.isV1 ? 'bold' : 'yellow', line)),
    ...say(
      `Device ${identity.device}: ${identity.fingerprint.deviceDescription}. Baseline ${identity.baselineKey.slice(0, 12)}.`,
    ),
  ];
}

import { formatItem, type Item } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import type { BenchTest } from './options/request.ts';
import { nameTest } from './options/tests.ts';

/** What an item of a plan of files times, as llama-bench’s options say it. */
export function testOf(
  { phase, sequenceLength, depth = 0, decodeSteps }: Item,
  steps: number,
): BenchTest {
  if (phase === 'prefill') return { phase, tokens: sequenceLength, depth };
  return { phase, tokens: decodeSteps ?? steps, depth: sequenceLength };
}

/**
 * An item for progress and messages: of files by llama-bench's name of the test, as the table has it
 * (`qwen Q8_0 pp512 @ d4096 [fa1]`), of a space as everywhere else (`mid Q8_0 S512 decode`).
 */
export function nameItemOf(
  { space, protocol }: Pick<Plan, 'space' | 'protocol'>,
  item: Item,
): string {
  if (space !== null) return formatItem(item);
  const { architecture, quantization, variant } = item;
  const test = nameTest(testOf(item, protocol.decodeSteps));
  return `${architecture} ${quantization} ${test}${variant === undefined ? '' : ` [${variant}]`}`;
}

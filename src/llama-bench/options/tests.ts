import type { Fault } from '../../errors.ts';
import { sequenceLengthSchema } from '../../formats/architecture.ts';
import { protocolSchema } from '../../formats/protocol.ts';
import type { BenchTest } from './request.ts';
import { readIntegers } from './value-lists.ts';

const mostPrompt = sequenceLengthSchema.maxValue!;
const mostGenerated = protocolSchema.shape.decodeSteps.maxValue!;

/**
 * The tests that -p, -n and -d ask for, in llama-bench's order: at each depth the prompts, then the
 * generations. 0 tokens stand for no such test.
 * @param textsOf the values of an option, as they were given
 * @param notes gets what was asked twice: a campaign measures it once
 */
export function listTests(
  textsOf: (option: string) => readonly string[],
  faults: Fault[],
  notes: string[],
): BenchTest[] {
  const read = (option: string, most: number, standard: number) => {
    const texts = textsOf(option);
    const onFault = (what: string) => faults.push({ where: option, what });
    const values = texts.flatMap((text) => readIntegers({ least: 0, most })(text, onFault));
    return texts.length === 0 ? [standard] : values;
  };
  const before = faults.length;
  const prompts = read('-p', mostPrompt, 512);
  const generations = read('-n', mostGenerated, 128);
  const depths = read('-d', mostPrompt, 0);
  const asked = depths.flatMap((depth) => [
    ...prompts.map((tokens): BenchTest => ({ phase: 'prefill', tokens, depth })),
    ...generations.map((tokens): BenchTest => ({ phase: 'decode', tokens, depth })),
  ]);
  const tests = new Map<string, BenchTest>();
  for (const test of asked.filter(({ tokens }) => tokens > 0)) {
    const name = nameTest(test);
    if (tests.has(name)) notes.push(`${name} is asked twice and measured once`);
    else tests.set(name, test);
  }
  if (tests.size === 0 && faults.length === before) {
    faults.push({
      where: '-p and -n',
      what: 'leave nothing to measure',
      hint: '-p 512 for prefill, -n 128 for decode',
    });
  }
  return [...tests.values()];
}

/** llama-bench's name of a test: `pp512`, `tg128 @ d4096`. */
export function nameTest({ phase, tokens, depth }: BenchTest): string {
  return `${phase === 'prefill' ? 'pp' : 'tg'}${tokens}${depth > 0 ? ` @ d${depth}` : ''}`;
}

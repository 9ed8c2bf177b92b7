import type { FileModel, Plan, Variant } from '../../src/formats/plan.ts';
import type { Execution } from '../../src/formats/protocol.ts';
import type { BenchTest } from '../../src/llama-bench/options/request.ts';
import { createBenchPlan } from '../../src/protocol/create-bench-plan.ts';
import { type BenchRules, createBenchProtocol } from '../../src/protocol/create-bench-protocol.ts';
import { buildProtocol } from './ledger-builder.ts';

/** 2 threads, batch 512, ubatch 128, flash attention off. */
export const benchExecution: Execution = buildProtocol().execution;

/** A GGUF file that nobody opens. */
export function fileModel(name: string, digit: string): FileModel {
  const sha256 = digit.repeat(64);
  return {
    name,
    file: `${name}.gguf`,
    family: 'qwen3',
    title: null,
    quantization: 'Q4_K_M',
    layerCount: 4,
    parameterCount: 1_000_000,
    weightBytes: 600_000,
    fileBytes: 700_000,
    sha256,
    parts: [{ name: `${name}.gguf`, bytes: 700_000, sha256 }],
  };
}

export function variant(
  name: string,
  changes: Partial<Execution> = {},
  backend = 'embedded',
): Variant {
  return { name, backend, execution: { ...benchExecution, ...changes } };
}

export const prefill64: BenchTest = { phase: 'prefill', tokens: 64, depth: 0 };
export const decode16: BenchTest = { phase: 'decode', tokens: 16, depth: 0 };

/** Of `createBenchPlan`: one file, prefill of 64 tokens and a decode of 16 steps, in 3 rounds. */
export function benchPlan(
  variants: readonly Variant[] | null,
  {
    tests = [prefill64, decode16],
    models = [fileModel('qwen', 'a')],
    rules = {},
    changes = {},
  }: {
    tests?: readonly BenchTest[];
    models?: readonly FileModel[];
    rules?: Partial<BenchRules>;
    changes?: Partial<Plan>;
  } = {},
): Plan {
  const protocol = createBenchProtocol({
    name: 'bench',
    description: 'For tests.',
    execution: variants?.[0]?.execution ?? benchExecution,
    phases: ['prefill', 'decode'],
    decodeSteps: 16,
    processes: 3,
    warmup: 1,
    kept: 2,
    trialTimeLimitSeconds: 60,
    ...rules,
  });
  const plan = createBenchPlan({
    name: 'benched',
    question: 'What does it cost?',
    targetDifference: 0.1,
    protocol,
    scheduleSeed: 1,
    work: { models, variants, tests },
  });
  return { ...plan, ...changes };
}

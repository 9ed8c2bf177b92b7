import type { Fault } from '../errors.ts';
import { faultsOf, readableMembers } from '../formats/parse.ts';
import {
  type Execution,
  executionSchema,
  type Protocol,
  protocolSchema,
  referenceSchema,
} from '../formats/protocol.ts';
import { findArchitectureFaults } from '../space/constraints.ts';
import { findStoppingFaults } from './stopping-faults.ts';

/**
 * Every fault of a protocol: its shape, and what no schema can say of the parts whose shape is
 * right, so that one look shows them all.
 */
export function findProtocolFaults(value: unknown): Fault[] {
  const { execution, flags, processesPerItem, stopping, reference } = readableMembers(
    protocolSchema,
    value,
  );
  const parts = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const { architecture } = readableMembers(referenceSchema, parts.reference);
  return [
    ...faultsOf(protocolSchema, value),
    ...(architecture ? findArchitectureFaults(architecture, 'reference.architecture') : []),
    ...findExecutionFaults(
      execution ?? readableMembers(executionSchema, parts.execution),
      'execution',
    ),
    ...findFlagFaults(flags, reference === 'first-condition' ? undefined : processesPerItem),
    ...(stopping && processesPerItem ? findStoppingFaults(stopping, processesPerItem, 1) : []),
  ];
}

/** @param where the execution's place in what holds it */
export function findExecutionFaults(execution: Partial<Execution>, where: string): Fault[] {
  const { batch, ubatch, flashAttention, kvTypeV, affinity, threadPoolStrictCpu } = execution;
  const faults: Fault[] = [];
  if (batch !== undefined && ubatch !== undefined && ubatch > batch) {
    faults.push({
      where: `${where}.ubatch`,
      what: `${ubatch} is more than batch, ${batch}`,
      hint: 'llama.cpp splits a batch into ubatches, so ubatch is at most batch',
    });
  }
  if (flashAttention === 'off' && kvTypeV !== undefined && !/^(F32|F16|BF16)$/.test(kvTypeV)) {
    faults.push({
      where: `${where}.kvTypeV`,
      what: `llama.cpp needs flash attention for a V cache in ${kvTypeV}`,
      hint: 'use F16, or flashAttention "on"',
    });
  }
  const threads = Math.max(execution.threads ?? 0, execution.threadsBatch ?? 0);
  if (Array.isArray(affinity) && affinity.length < threads) {
    faults.push({
      where: `${where}.affinity`,
      what: `${affinity.length} CPUs for ${threads} threads`,
      hint: 'name at least as many CPUs as threads',
    });
  }
  if (threadPoolStrictCpu === true && affinity === 'default') {
    faults.push({
      where: `${where}.threadPoolStrictCpu`,
      what: 'strict placement of threads needs to know on which CPUs',
      hint: 'name them in affinity, or use false',
    });
  }
  return faults;
}

/** @param processesPerItem to be enough for the drift of a named reference; without one it may be too few */
function findFlagFaults(flags?: Protocol['flags'], processesPerItem?: number): Fault[] {
  const faults: Fault[] = [];
  if (flags === undefined) return faults;
  const { edgeRounds, minRounds } = flags.drift;
  if (2 * edgeRounds > minRounds) {
    faults.push({
      where: 'flags.drift.edgeRounds',
      what: `first and last ${edgeRounds} rounds overlap in ${minRounds}`,
      hint: 'minRounds must be at least twice edgeRounds',
    });
  }
  if (processesPerItem !== undefined && minRounds > processesPerItem) {
    faults.push({
      where: 'flags.drift.minRounds',
      what: `${minRounds} rounds are needed for the drift, but only ${processesPerItem} are measured`,
      hint: 'raise processesPerItem or lower minRounds',
    });
  }
  return faults;
}

import type { Fault } from '../errors.ts';
import { faultsOf } from '../formats/parse.ts';
import { type Protocol, protocolSchema } from '../formats/protocol.ts';
import { findArchitectureFaults } from '../space/constraints.ts';

/** Every fault of a protocol: its shape first, then what no schema can say. */
export function findProtocolFaults(value: unknown): Fault[] {
  const faults = faultsOf(protocolSchema, value);
  return faults.length > 0 ? faults : findRuleFaults(value as Protocol);
}

function findRuleFaults(protocol: Protocol): Fault[] {
  const { execution, reference, flags, processesPerItem } = protocol;
  const faults = findArchitectureFaults(reference.architecture, 'reference.architecture');
  if (execution.ubatch > execution.batch) {
    faults.push({
      where: 'execution.ubatch',
      what: `${execution.ubatch} is more than batch, ${execution.batch}`,
      hint: 'llama.cpp splits a batch into ubatches, so ubatch is at most batch',
    });
  }
  if (execution.flashAttention === 'off' && !/^(F32|F16|BF16)$/.test(execution.kvTypeV)) {
    faults.push({
      where: 'execution.kvTypeV',
      what: `llama.cpp needs flash attention for a V cache in ${execution.kvTypeV}`,
      hint: 'use F16, or flashAttention "on"',
    });
  }
  if (Array.isArray(execution.affinity) && execution.affinity.length < execution.threads) {
    faults.push({
      where: 'execution.affinity',
      what: `${execution.affinity.length} CPUs for ${execution.threads} threads`,
      hint: 'name at least as many CPUs as threads',
    });
  }
  if (execution.threadPoolStrictCpu && execution.affinity === 'default') {
    faults.push({
      where: 'execution.threadPoolStrictCpu',
      what: 'strict placement of threads needs to know on which CPUs',
      hint: 'name them in affinity, or use false',
    });
  }
  if (2 * flags.drift.edgeRounds > flags.drift.minRounds) {
    faults.push({
      where: 'flags.drift.edgeRounds',
      what: `first and last ${flags.drift.edgeRounds} rounds overlap in ${flags.drift.minRounds}`,
      hint: 'minRounds must be at least twice edgeRounds',
    });
  }
  if (flags.drift.minRounds > processesPerItem) {
    faults.push({
      where: 'flags.drift.minRounds',
      what: `${flags.drift.minRounds} rounds are needed for the drift, but only ${processesPerItem} are measured`,
      hint: 'raise processesPerItem or lower minRounds',
    });
  }
  return faults;
}

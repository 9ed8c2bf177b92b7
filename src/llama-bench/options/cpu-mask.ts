import type { Execution } from '../../formats/protocol.ts';

type Affinity = Execution['affinity'];

/** As many hexadecimal digits as llama.cpp reads: 512 CPUs. */
const mask = /^(?:0x)?([0-9a-f]{1,128})$/i;

/** The CPUs of a mask such as `0xff`, in ascending order; a mask of 0 restricts nothing. null for no mask. */
export function readCpuMask(text: string): Affinity | null {
  const digits = mask.exec(text)?.[1];
  if (digits === undefined) return null;
  let bits = BigInt(`0x${digits}`);
  const cpus: number[] = [];
  for (let cpu = 0; bits > 0n; cpu++, bits >>= 1n) if (bits & 1n) cpus.push(cpu);
  return cpus.length === 0 ? 'default' : cpus;
}

/** The mask of some CPUs, without leading zeros; `0x0` for no restriction. */
export function formatCpuMask(affinity: Affinity): string {
  if (affinity === 'default') return '0x0';
  return `0x${affinity.reduce((bits, cpu) => bits | (1n << BigInt(cpu)), 0n).toString(16)}`;
}

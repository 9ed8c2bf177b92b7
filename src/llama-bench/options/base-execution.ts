import type { Execution } from '../../formats/protocol.ts';

/**
 * What llama-bench measures when nothing is said (llama.cpp v0.4.0), in our terms. Four members
 * differ from its defaults, because a frozen protocol names what is measured:
 *
 * | member | llama-bench | here | why |
 * |---|---|---|---|
 * | flashAttention | auto | off | `auto` would hide which of two kernels was timed; `-fa 1` or `-fa 0,1` asks for the other |
 * | loadMode | auto | mmap | `auto` is mmap unless a device cannot; the name of what happened is kept |
 * | splitMode | layer | none | a trial has one device, over which `layer` splits nothing |
 * | logSink | dropped | file | the log of a failed trial says why it failed |
 *
 * The others are llama-bench's own, or those of llama.cpp that it does not touch: kvUnified,
 * swaFull, checkTensors, extraBufferTypes and internalTimers have no option there.
 * @param threads for both phases: llama-bench gives one number to prompts and generation. Its own
 *   default is the number of cores fit for arithmetic, which only the machine knows
 */
export function createBaseExecution(threads: number): Execution {
  return {
    threads,
    threadsBatch: threads,
    threadPoolPoll: 50,
    threadPoolPriority: 'normal',
    threadPoolStrictCpu: false,
    numa: 'disabled',
    affinity: 'default',
    batch: 2048,
    ubatch: 512,
    contextSize: 'as-needed',
    flashAttention: 'off',
    kvTypeK: 'F16',
    kvTypeV: 'F16',
    kvOffload: true,
    kvUnified: false,
    swaFull: false,
    gpuLayers: 'all',
    splitMode: 'none',
    loadMode: 'mmap',
    lazyMode: 'auto',
    checkTensors: false,
    extraBufferTypes: true,
    hostBuffers: true,
    opOffload: true,
    internalTimers: false,
    logSink: 'file',
  };
}

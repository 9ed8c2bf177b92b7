// A stand-in for the runner's process, for faults that real llama.cpp does not show on demand.
// usage: node fake-runner-process.mjs FAULT < trial
import { spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';

const fault = process.argv[2];
const trial = JSON.parse(readFileSync(0, 'utf8'));
const print = (value) =>
  writeSync(1, `${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

if (fault === 'exits-early') process.exit(7);
if (fault === 'crashes') process.kill(process.pid, 'SIGSEGV');
if (fault === 'asserts') {
  writeSync(2, '/home/someone/llama.cpp/ggml/src/ggml.c:3100: GGML_ASSERT(ne == 1) failed\n');
  writeSync(2, '/usr/lib/libggml-base.so(ggml_print_backtrace+0x21)[0x7f0000000021]\n'.repeat(100));
  process.kill(process.pid, 'SIGABRT');
}
if (fault === 'floods') for (;;) print('x'.repeat(65536));
if (fault === 'garbage') print('\u0000\u0007 not a line');
if (fault === 'no-memory') {
  writeSync(2, 'ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 1\n');
  process.exit(1);
}
print({
  type: 'load',
  formatVersion: 1,
  modelSha256: trial.modelSha256,
  loadNs: 1,
  contextNs: 1,
  clockNs: null,
  applied: {
    threads: 1,
    threadsBatch: 1,
    contextSize: 1,
    batch: 1,
    ubatch: 1,
    flashAttention: 'off',
    layersOffloaded: 0,
    layersTotal: 3,
    modelBuffers: [],
    kvBuffers: [],
    computeBuffers: [],
    cpus: null,
  },
});
if (fault === 'leaves-a-child') {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], {
    stdio: 'inherit',
  });
  writeSync(2, `child ${child.pid}\n`);
}
const count = fault === 'too-few' ? trial.repetitions - 1 : trial.repetitions;
for (let index = 0; index < count; index++) {
  if (fault === 'hangs' && index === 1) wait(60_000);
  wait(2);
  let wallNs = 1_000_000;
  if (fault === 'zero-time') wallNs = 0;
  if (fault === 'negative-time') wallNs = -5;
  if (fault === 'too-long-time') wallNs = 3_600_000_000_000;
  print({ type: 'repetition', index, wallNs, prepareNs: 10 });
}
print({ type: 'end', repetitions: count, peakResidentBytes: null });
process.exit(0);

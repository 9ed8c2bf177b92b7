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
if (fault === 'aborts') process.kill(process.pid, 'SIGABRT');
if (fault === 'stops-itself') process.kill(process.pid, 'SIGSTOP');
if (fault === 'spins') for (;;);
if (fault === 'ignores-sigterm') {
  process.on('SIGTERM', () => {});
  wait(60_000);
}
if (fault === 'invalid-utf8') writeSync(1, Buffer.from([0xff, 0xfe, 0x0a]));
if (fault === 'half-a-line') {
  writeSync(1, '{"type":"load","formatVersion":1,"modelSha');
  process.exit(0);
}
if (fault === 'long-line') {
  for (let part = 0; part < 100; part++) writeSync(1, 'x'.repeat(1_000_000));
  process.exit(0);
}
if (fault === 'long-log') {
  writeSync(2, 'how it began\n');
  for (let part = 0; part < 100; part++) writeSync(2, 'x'.repeat(1_000_000));
  writeSync(2, '\nwhat came last\n');
}
if (fault === 'endless-log') for (;;) writeSync(2, 'x'.repeat(65_536));
const lastLogs = {
  'illegal-access': 'CUDA error: an illegal memory access was encountered\n',
  xid: 'NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n',
  'device-lost': 'vk::Queue::submit: ErrorDeviceLost\n',
  'device-out-of-memory': 'CUDA error: out of memory\n',
};
if (fault in lastLogs) {
  writeSync(2, lastLogs[fault]);
  if (fault === 'xid') wait(60_000);
  if (fault === 'device-lost') process.exit(1);
  process.kill(process.pid, 'SIGABRT');
}
if (fault === 'eats-memory') {
  const eaten = [];
  for (;;) eaten.push(Buffer.alloc(8 * 1024 * 1024, 1));
}
if (fault === 'failure-then-success') {
  print({ type: 'failure', code: 'decode-failed', message: 'llama_decode gave -3' });
  process.exit(0);
}
print({
  type: 'load',
  formatVersion: 1,
  modelSha256: trial.modelSha256,
  loadNs: fault === 'long-load' ? 3_600_000_000_000 : 1,
  contextNs: 1,
  clockNs: null,
  applied: {
    threads: trial.threads,
    threadsBatch: trial.threadsBatch,
    contextSize: trial.contextSize,
    batch: Math.min(trial.batch, trial.contextSize),
    ubatch: Math.min(trial.ubatch, trial.contextSize),
    flashAttention: trial.flashAttention,
    layersOffloaded: trial.gpuLayers,
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
if (fault === 'leaves-a-session' || fault === 'leaves-and-crashes') {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], {
    stdio: 'ignore',
    detached: true, // setsid: no signal to the group reaches it
  });
  child.unref();
  writeSync(2, `child ${child.pid}\n`);
  if (fault === 'leaves-and-crashes') process.kill(process.pid, 'SIGSEGV');
}
if (fault === 'end-first') print({ type: 'end', repetitions: 3, peakResidentBytes: null });
const wrongCounts = { 'too-few': -1, 'too-many': 1 };
const count = trial.repetitions + (wrongCounts[fault] ?? 0);
const wrongIndices = { 'out-of-order': [1, 0], repeated: [0, 0] };
const written = {
  nan: 'NaN',
  infinity: 'Infinity',
  overflow: '1e400',
  'text-time': '"1"',
  'null-time': 'null',
  'half-time': '0.5',
};
for (let index = 0; index < count; index++) {
  if (fault === 'hangs' && index === 1) wait(60_000);
  wait(2);
  let wallNs = 1_000_000;
  if (fault === 'zero-time') wallNs = 0;
  if (fault === 'negative-time') wallNs = -5;
  if (fault === 'too-long-time') wallNs = 3_600_000_000_000;
  if (fault === 'long-together') wallNs = 3_000_000_000;
  const said = wrongIndices[fault]?.[index] ?? index;
  const line = { type: 'repetition', index: said, wallNs, prepareNs: 10 };
  const text = JSON.stringify(line);
  print(fault in written ? text.replace(`${wallNs}`, written[fault]) : text);
}
const peakResidentBytes = fault === 'impossible-memory' ? 2 ** 50 : null;
if (fault !== 'no-end') print({ type: 'end', repetitions: count, peakResidentBytes });
if (fault === 'goes-on') print({ type: 'repetition', index: count, wallNs: 1, prepareNs: 1 });
process.exit(fault === 'bad-exit' ? 1 : 0);

import { expect, test } from 'vitest';
import { listenForStop } from '../../src/commands/stop-signal.ts';

test('of two that listen the inner one speaks, once, and both are stopped', () => {
  const said: string[] = [];
  const progress = { say: (words: string) => said.push(words), show: () => {}, done: () => {} };
  using outer = listenForStop('stopping', progress);
  {
    using inner = listenForStop('stopping; measured again', progress);
    process.emit('SIGINT');
    process.emit('SIGINT');
    expect(inner.signal.aborted).toBe(true);
  }
  expect(outer.signal.aborted).toBe(true);
  expect(said).toEqual(['stopping; measured again']);
});

test('the outer one speaks again when the inner one has ended', () => {
  const said: string[] = [];
  const progress = { say: (words: string) => said.push(words), show: () => {}, done: () => {} };
  using outer = listenForStop('stopping', progress);
  listenForStop('inside', progress)[Symbol.dispose]();
  process.emit('SIGTERM');
  expect(outer.signal.aborted).toBe(true);
  expect(said).toEqual(['stopping']);
});

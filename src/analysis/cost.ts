import { type Cost, type CostPart, costPartSchema } from '../formats/analysis.ts';
import type { Measured } from './campaign-record.ts';
import type { JudgedTrial } from './judge-trial.ts';

/**
 * Where the hardware's time went, failed and interrupted trials included. A failed trial's whole
 * process is one part; the harness, device reads and waits around it stay in theirs.
 * @param warmup warm-up repetitions a trial
 */
export function analyzeCost(trials: readonly JudgedTrial[], warmup: number): Cost {
  const ns = new Map<CostPart, number>(costPartSchema.options.map((part) => [part, 0]));
  const add = (part: CostPart, amount: number) => ns.set(part, (ns.get(part) ?? 0) + amount);
  let attemptsOfUnknownCost = 0;
  for (const trial of trials) {
    for (const interruptedNs of trial.record.interruptedNs) {
      if (interruptedNs === null) attemptsOfUnknownCost += 1;
      else add('interrupted', interruptedNs);
    }
    if (trial.state !== 'observed' && trial.state !== 'failed') continue;
    const { measured } = trial;
    if (trial.state === 'failed') add('failed', measured.processNs);
    else for (const [part, amount] of splitProcess(measured, warmup)) add(part, amount);
    add('device-reads', measured.deviceReadNs);
    add('idle-wait', measured.idleWaitNs);
    add('harness', measured.harnessNs);
  }
  const totalNs = sum([...ns.values()]);
  const parts = [...ns].map(([part, amount]) => ({
    part,
    ns: amount,
    share: totalNs === 0 ? 0 : amount / totalNs,
  }));
  return { totalNs, parts, attemptsOfUnknownCost };
}

function splitProcess(
  { loadNs, wallNs, prepareNs, processNs }: Measured,
  warmup: number,
): [CostPart, number][] {
  const parts: [CostPart, number][] = [
    ['load', loadNs],
    ['warmup', sum(wallNs, 0, warmup)],
    ['warmup-preparation', sum(prepareNs, 0, warmup)],
    ['kept', sum(wallNs, warmup)],
    ['kept-preparation', sum(prepareNs, warmup)],
  ];
  // Negative only if the process contradicts its own clock; the parts add up all the same.
  const restNs = processNs - sum(parts.map(([, amount]) => amount));
  return [...parts, ['process-rest', restNs]];
}

function sum(values: readonly number[], start = 0, end = values.length): number {
  let total = 0;
  for (let at = start; at < end; at++) total += values[at] ?? 0;
  return total;
}

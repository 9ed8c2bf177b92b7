import { deviceTargets } from './device-targets.ts';
import { jsonTargets } from './json-targets.ts';
import { ledgerTargets } from './ledger-targets.ts';
import { publicationTargets } from './publication-targets.ts';
import { runnerTargets } from './runner-targets.ts';
import { tableTargets } from './table-targets.ts';
import type { Target } from './target.ts';
import { wordTargets } from './word-targets.ts';

/** Every parser that reads what others wrote. */
export const targets: readonly Target[] = [
  ...jsonTargets,
  ...ledgerTargets,
  ...runnerTargets,
  ...tableTargets,
  ...wordTargets,
  ...deviceTargets,
  ...publicationTargets,
];

export function findTarget(name: string): Target {
  const target = targets.find((one) => one.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  return target;
}

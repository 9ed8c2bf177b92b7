import { type Fault, throwFaults } from '../errors.ts';
import type { BudgetRequest } from './budget.ts';

/**
 * Throws `invalid-input` with every fault at once: no items, an item without a process, a process
 * without a repetition or with a time that is not one, a preparation for each repetition missing,
 * limits or counts that are not whole numbers in order.
 */
export function throwBudgetFaults({ items, budgetNs, fixed, limits }: BudgetRequest): void {
  const faults: Fault[] = [];
  const check = (where: string, isRight: boolean, what: string) => {
    if (!isRight) faults.push({ where, what });
  };
  const isTime = (ns: number) => Number.isFinite(ns) && ns >= 0;
  const isCount = (count: number, least: number) => Number.isInteger(count) && count >= least;

  check('budgetNs', isTime(budgetNs), 'is no time');
  check('items', items.length > 0, 'has no item');
  items.forEach(({ processes }, item) => {
    check(`items[${item}]`, processes.length > 0, 'the pilot has no process of it');
    processes.forEach(({ overheadNs, wallNs, prepareNs }, process) => {
      const where = `items[${item}].processes[${process}]`;
      check(`${where}.overheadNs`, isTime(overheadNs), 'is no time');
      check(`${where}.wallNs`, wallNs.length > 0, 'has no repetition');
      check(
        `${where}.wallNs`,
        wallNs.every(isTime) && !wallNs.includes(0),
        'has a time not above 0',
      );
      check(`${where}.prepareNs`, prepareNs.every(isTime), 'has something that is no time');
      const isPaired = prepareNs.length === wallNs.length;
      check(`${where}.prepareNs`, isPaired, 'is not as long as wallNs');
    });
  });
  const { minProcesses, maxProcesses, maxRepetitions } = limits;
  check('limits.minProcesses', isCount(minProcesses, 1), 'is no number of processes');
  check('limits.maxProcesses', isCount(maxProcesses, minProcesses), 'is less than minProcesses');
  check(
    'limits.maxRepetitions',
    isCount(maxRepetitions, 2),
    'leaves no warm-up and kept repetition',
  );
  for (const [name, least] of [
    ['processes', 1],
    ['warmup', 0],
    ['kept', 1],
  ] as const) {
    const count = fixed[name];
    check(
      `fixed.${name}`,
      count === null || isCount(count, least),
      `is no number from ${least} on`,
    );
  }
  throwFaults('the request for a budget', faults);
}

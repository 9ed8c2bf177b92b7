import type { Item } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import { nameItemOf, testOf } from '../llama-bench/item-name.ts';
import { formatRate } from '../report/quantities.ts';
import { formatCount } from '../units.ts';
import type { OnFirstLook } from './first-look.ts';
import type { OnObserved } from './measure.ts';
import type { Progress } from './progress.ts';

const nanosecondsPerSecond = 1e9;

/** Hooks for each campaign of a command, the pilot among them; none once a number was said. */
export type FirstNumber = (plan: Plan) => { onFirstLook?: OnFirstLook; onObserved?: OnObserved };

/** Says the first number of a command: of one process, and it says so. */
export function createFirstNumber(progress: Progress): FirstNumber {
  let isSaid = false;
  return (plan) => {
    if (isSaid) return {};
    const say = (item: Item, wallNs: number, what: string) => {
      if (isSaid) return;
      isSaid = true;
      const { tokens } = testOf(item, plan.protocol.decodeSteps);
      const rate = formatRate((tokens * nanosecondsPerSecond) / wallNs);
      progress.say(`first look: ${nameItemOf(plan, item)} ${rate} tokens/s, ${what}`);
    };
    return {
      onFirstLook: (item, wallNs) => say(item, wallNs, 'in a process of its own, not warm'),
      onObserved: (item, { repetitions }) => {
        const wallNs = repetitions.map((repetition) => repetition.wallNs).sort((a, b) => a - b);
        const what = `the middle of ${formatCount(wallNs.length, 'repetition')} of one process, warm-up among them`;
        say(item, wallNs[Math.floor(wallNs.length / 2)]!, what);
      },
    };
  };
}

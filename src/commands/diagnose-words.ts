import { formatItem } from '../formats/architecture.ts';
import type { Arm, Experiment, ExperimentComparison } from '../formats/experiment.ts';
import type { Plan } from '../formats/plan.ts';
import { toPrintableLines } from '../printable.ts';
import { listGroups, orderBlocks } from '../protocol/blocks.ts';
import { formatDuration } from '../units.ts';
import type { CostEstimate } from './estimate-cost.ts';

/** More orders say nothing new. */
const shownBlocks = 4;

/** What an experiment will do and cost, before it runs. */
export function describePlan(plan: Plan, cost: CostEstimate): string {
  const experiment = plan.experiment!;
  const { name, question, blocks, order, repetitions, effectThatMatters, correction } = experiment;
  const groups = listGroups(plan);
  const { warmup, kept } = repetitions;
  const lines = [
    `${name}: ${question}`,
    '',
    'Arms:',
    ...experiment.arms.map((arm) => `  ${arm.name}: ${describeArm(arm)}`),
    '',
    'Conditions, each with every arm:',
    ...groups.map(([first]) => {
      const { variant: _arm, ...item } = first!.item;
      return `  ${formatItem(item)}`;
    }),
    '',
    'Declared comparisons, the primary one first:',
    ...describeComparisons(experiment),
    `  a difference of ${formatPercent(effectThatMatters)} matters; ${correction === 'holm' ? 'Holm’s correction over all of them in every condition' : 'no correction for several of them'}`,
    '',
    `Order (${order}), of ${blocks} blocks the first ${Math.min(shownBlocks, blocks)}:`,
    ...describeOrders(plan),
    '',
    `Cost: ${cost.processes} processes, ${cost.repetitions} repetitions (${warmup} warm-up and ${kept} kept in each process unless its arm says otherwise)`,
    cost.totalNs === null
      ? `      how long is not known, since a trial of it failed: ${cost.failure}`
      : `      about ${formatDuration(cost.totalNs)}, from one short process of each condition`,
    '',
  ];
  return toPrintableLines(lines.join('\n')); // the question may be a stranger's
}

const formatPercent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;

function describeComparisons({ comparisons, natural }: Experiment): string[] {
  const side = ({ arm, metric }: ExperimentComparison['a']) => `${metric} of ${arm}`;
  return [
    ...comparisons.map(({ a, b }) => `  ${side(b)} over ${side(a)}`),
    ...(natural.length === 0 ? [] : [`  slow repetitions one by one in: ${natural.join(', ')}`]),
  ];
}

function describeArm({ name: _name, levels: _levels, ...changes }: Arm): string {
  const parts = Object.entries(changes).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return parts.length === 0 ? 'nothing is changed' : parts.join(', ');
}

function describeOrders(plan: Plan): string[] {
  const arms = plan.experiment!.arms.length;
  return orderBlocks(plan)
    .slice(0, shownBlocks)
    .map((order, block) => {
      const groups = Array.from({ length: order.length / arms }, (_, group) =>
        order.slice(group * arms, (group + 1) * arms),
      );
      const words = groups.map((group) => {
        const { architecture, quantization, sequenceLength, phase } = group[0]!.item;
        const names = group.map(({ item }) => item.variant).join(', ');
        return `${architecture} ${quantization} S${sequenceLength} ${phase}: ${names}`;
      });
      return `  block ${block + 1}: ${words.join('; ')}`;
    });
}

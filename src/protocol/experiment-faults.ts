import type { Fault } from '../errors.ts';
import { workKey } from '../formats/architecture.ts';
import type { Arm, Experiment, Metric } from '../formats/experiment.ts';
import type { PlannedCondition, Variant } from '../formats/plan.ts';
import type { Protocol } from '../formats/protocol.ts';
import type { Reading } from '../formats/treatment.ts';
import { canonicalJson } from '../hash.ts';
import { changesWeights, resolveArm } from './resolve-arm.ts';

/** What a metric is made of, where that is more than the times of repetitions. */
export const readingOfMetric: Partial<Record<Metric, Reading>> = {
  'main-cpu-time': 'cpu-time',
  'process-cpu-time': 'cpu-time',
  'time-off-cpu': 'cpu-time',
  'scheduler-wait': 'scheduler-wait',
  migrations: 'placement',
  'involuntary-switches': 'context-switches',
  'voluntary-switches': 'context-switches',
  'page-faults': 'page-faults',
  frequency: 'frequency',
  'first-slice-frequency': 'frequency',
};

/** What an experiment's parts say about one another and no schema can. */
export function findExperimentFaults(experiment: Experiment): Fault[] {
  const { factors, arms, comparisons, natural } = experiment;
  const armOf = new Map(arms.map((arm) => [arm.name, arm]));
  const faults = [
    ...findRepeated(factors, 'factors', 'factor'),
    ...findRepeated(arms, 'arms', 'arm'),
    ...findRepeated(comparisons, 'comparisons', 'comparison'),
    ...arms.flatMap((arm, index) => [
      ...findLevelFaults(arm, experiment, `arms[${index}]`),
      ...findLaunchFaults(arm, `arms[${index}].launch`),
    ]),
  ];
  comparisons.forEach(({ a, b }, index) => {
    const where = `comparisons[${index}]`;
    if (a.arm === b.arm && a.metric === b.metric)
      faults.push({ where, what: 'compares a number with itself' });
    if (unitOf(a.metric) !== unitOf(b.metric))
      faults.push({ where, what: `${a.metric} and ${b.metric} are not of one kind` });
    for (const side of ['a', 'b'] as const) {
      const { arm, metric } = { a, b }[side];
      const known = armOf.get(arm);
      const place = `${where}.${side}`;
      if (known === undefined) faults.push({ where: `${place}.arm`, what: noSuchArm(arm) });
      else faults.push(...findMetricFaults(known, metric, place));
    }
  });
  natural.forEach((name, index) => {
    if (!armOf.has(name)) faults.push({ where: `natural[${index}]`, what: noSuchArm(name) });
  });
  if (comparisons.length === 0 && natural.length === 0)
    faults.push({
      where: 'comparisons',
      what: 'neither a comparison nor a natural arm is declared',
    });
  return faults;
}

const noSuchArm = (name: string) => `the experiment has no arm "${name}"`;

function findRepeated(list: readonly { name: string }[], where: string, kind: string): Fault[] {
  return list.flatMap(({ name }, index) =>
    list.findIndex((other) => other.name === name) === index
      ? []
      : [{ where: `${where}[${index}].name`, what: `another ${kind} has this name` }],
  );
}

function findLevelFaults(
  { name, levels }: Arm,
  { factors, arms }: Experiment,
  where: string,
): Fault[] {
  const faults: Fault[] = factors.flatMap(({ name: factor, levels: known }) => {
    const level = Object.hasOwn(levels, factor) ? levels[factor] : undefined;
    if (level !== undefined && known.includes(level)) return [];
    const what =
      level === undefined
        ? `has no level of factor ${factor}`
        : `${factor} has no level "${level}"`;
    return [{ where: `${where}.levels`, what, hint: `levels: ${known.join(', ')}` }];
  });
  for (const factor of Object.keys(levels)) {
    if (!factors.some((known) => known.name === factor))
      faults.push({ where: `${where}.levels`, what: `the experiment has no factor "${factor}"` });
  }
  const twin = arms.find(
    (other) => other.name !== name && canonicalJson(other.levels) === canonicalJson(levels),
  );
  if (twin !== undefined)
    faults.push({ where: `${where}.levels`, what: `arm ${twin.name} has the same levels` });
  return faults;
}

function findLaunchFaults({ launch }: Arm, where: string): Fault[] {
  if (!launch?.whoRuns || !launch.wrapper?.length) return [];
  const what = 'whoRuns looks at the process that is started, which is the wrapper';
  return [{ where, what, hint: 'give each an arm of its own' }];
}

function findMetricFaults({ treatment }: Arm, metric: Metric, where: string): Fault[] {
  const reading = readingOfMetric[metric];
  if (reading !== undefined && !treatment?.readings?.includes(reading)) {
    const hint = `give the arm "treatment": {"readings": ["${reading}"]}`;
    return [{ where, what: `${metric} needs the reading ${reading}`, hint }];
  }
  const isOfSlices = metric.startsWith('first-slice-');
  if (isOfSlices && treatment?.activity?.kind !== 'integer-work') {
    const hint = 'give the arm "treatment": {"activity": {"kind": "integer-work", …}}';
    return [{ where, what: `${metric} needs integer work`, hint }];
  }
  return [];
}

/** Numbers of different units have no ratio that says anything. */
function unitOf(metric: Metric): string {
  if (/migrations|switches|faults/.test(metric)) return metric;
  return /frequency|throughput/.test(metric) ? metric : 'ns';
}

/** What ties an experiment to the rest of its plan. */
export function findExperimentPlanFaults(plan: {
  experiment: Experiment | undefined;
  protocol: Protocol;
  variants: readonly (Variant | undefined)[] | null;
  conditions: readonly (PlannedCondition | undefined)[];
}): Fault[] {
  const { experiment, protocol, variants, conditions } = plan;
  if (experiment === undefined) return findStrays(protocol, variants ?? []);
  const faults = findExperimentFaults(experiment).map((fault) => ({
    ...fault,
    where: `experiment.${fault.where}`,
  }));
  const expected: [where: string, is: unknown, due: unknown][] = [
    ['protocol.order', protocol.order, 'balanced-blocks'],
    ['protocol.processesPerItem', protocol.processesPerItem, experiment.blocks],
    ['protocol.repetitions', protocol.repetitions, experiment.repetitions],
    [
      'protocol.cachePreparation',
      protocol.cachePreparation ?? 'compute',
      experiment.cachePreparation,
    ],
    ['protocol.observation.hostCounters', protocol.observation.hostCounters, 'by-arm'],
    ['protocol.observation.profiler', protocol.observation.profiler, 'by-arm'],
    ['protocol.stopping', protocol.stopping ?? null, null],
    ['protocol.reference', protocol.reference, 'first-condition'],
  ];
  for (const [where, is, due] of expected) {
    if (canonicalJson(is) !== canonicalJson(due))
      faults.push({ where, what: `the experiment needs ${canonicalJson(due)}` });
  }
  return [
    ...faults,
    ...findArmFaults(experiment, protocol, variants ?? []),
    ...findGroupFaults(experiment, conditions),
  ];
}

/** What only an experiment may have. */
function findStrays(protocol: Protocol, variants: readonly (Variant | undefined)[]): Fault[] {
  const { order, observation } = protocol;
  const faults: Fault[] = [];
  const refuse = (where: string) =>
    faults.push({ where, what: 'belongs to an experiment, and the plan declares none' });
  if (order === 'balanced-blocks') refuse('protocol.order');
  if (observation.hostCounters === 'by-arm') refuse('protocol.observation.hostCounters');
  if (observation.profiler === 'by-arm') refuse('protocol.observation.profiler');
  variants.forEach((variant, index) => {
    for (const key of ['treatment', 'launch', 'cachePreparation', 'repetitions'] as const) {
      if (variant?.[key] !== undefined) refuse(`variants[${index}].${key}`);
    }
  });
  return faults;
}

function findArmFaults(
  { arms }: Experiment,
  { execution }: Protocol,
  variants: readonly (Variant | undefined)[],
): Fault[] {
  if (variants.length !== arms.length) {
    const what = `${variants.length} variants for ${arms.length} arms`;
    return [{ where: 'variants', what }];
  }
  return variants.flatMap((variant, index) => {
    if (variant === undefined) return [];
    const due = resolveArm(arms[index]!, execution, variant.backend);
    if (canonicalJson(due) === canonicalJson(variant)) return [];
    return [{ where: `variants[${index}]`, what: `is not what arm ${arms[index]!.name} says` }];
  });
}

/** Each group is one condition under every arm. */
function findGroupFaults(
  experiment: Experiment,
  conditions: readonly (PlannedCondition | undefined)[],
): Fault[] {
  const { arms } = experiment;
  if (conditions.length % arms.length !== 0) {
    const what = `${conditions.length} conditions are no whole groups of ${arms.length} arms`;
    return [{ where: 'conditions', what }];
  }
  const mayDiffer = changesWeights(experiment);
  return conditions.flatMap((condition, index) => {
    const place = index % arms.length;
    const first = conditions[index - place];
    if (condition === undefined || first === undefined) return [];
    const where = `conditions[${index}]`;
    const arm = arms[place]!.name;
    if (condition.variant !== arm) return [{ where: `${where}.variant`, what: `must be ${arm}` }];
    const workOfGroup = (one: PlannedCondition) =>
      `${workKey({ ...one, variant: undefined })} ${one.phase} ${mayDiffer ? '' : one.modelSha256}`;
    return workOfGroup(condition) === workOfGroup(first)
      ? []
      : [{ where, what: 'is another condition than the first of its group' }];
  });
}

import type { Arm } from '../formats/experiment.ts';
import {
  type BuiltIn,
  compareArms,
  countBlocks,
  declareExperiment,
  type Withheld,
} from './builtin.ts';

export const logOutput: BuiltIn = {
  name: 'log-output',
  summary: 'what does llama.cpp’s log cost, in a file, thrown away, or off?',
  declare() {
    const levels = ['file', 'null', 'off'] as const;
    const experiment = declareExperiment({
      name: 'log-output',
      question:
        'Is the same work faster when llama.cpp’s log is off than when it goes to a file, and do slow repetitions remain?',
      factors: [{ name: 'log', levels: [...levels] }],
      arms: levels.map((log): Arm => ({ name: log, levels: { log }, execution: { logSink: log } })),
      repetitions: { warmup: 20, kept: 5 },
      comparisons: [
        compareArms('file', 'off'),
        compareArms('file', 'null'),
        { ...compareArms('null', 'off'), name: 'null-off-time' },
      ],
      natural: [...levels],
    });
    return { experiment, withheld: [] };
  },
};

/** Long enough for a CPU to sleep deeply and a disk's cache to be used by others. */
const idleMs = 2000;

export const state: BuiltIn = {
  name: 'state',
  summary:
    'fresh or reused process, page cache dropped or warm, after idling, fixed addresses, first repetitions',
  declare({ whyNot }) {
    const withheld: Withheld[] = [];
    const arm = (name: string, parts: Partial<Arm> = {}): Arm => ({
      name,
      levels: { state: name },
      ...parts,
    });
    const arms = [
      arm('fresh'),
      arm('reused', { repetitions: { warmup: 60, kept: 5 } }),
      arm('after-idle', { launch: { idleMilliseconds: idleMs } }),
      arm('cache-dropped', { treatment: { pageCache: 'dropped' } }),
      arm('cache-warm', { treatment: { pageCache: 'warm' } }),
    ];
    if (whyNot.fixedAddresses === null)
      arms.push(arm('fixed-addresses', { launch: { addresses: 'fixed' } }));
    else withheld.push({ what: 'fixed addresses', why: whyNot.fixedAddresses });
    const experiment = declareExperiment({
      name: 'state',
      question:
        'Is work of a process that has worked before slower or faster than that of a fresh one, and which other state of process and machine changes it?',
      factors: [{ name: 'state', levels: arms.map(({ name }) => name) }],
      arms,
      blocks: countBlocks(arms.length, 18),
      comparisons: [
        compareArms('fresh', 'reused'),
        compareArms('fresh', 'after-idle'),
        compareArms('cache-warm', 'cache-dropped', 'load'),
        compareArms('cache-warm', 'cache-dropped', 'first-repetition'),
        ...(whyNot.fixedAddresses === null ? [compareArms('fresh', 'fixed-addresses')] : []),
        {
          name: 'first-repetition',
          a: { arm: 'fresh', metric: 'time' },
          b: { arm: 'fresh', metric: 'first-repetition' },
        },
      ],
      natural: ['fresh', 'reused'],
    });
    return { experiment, withheld };
  },
};

export const weights: BuiltIn = {
  name: 'weights',
  summary:
    'does the content of the weights change the cost: random, another seed, all equal, trained?',
  declare({ hasTrainedFile }) {
    const arm = (name: string, content?: Arm['weights']): Arm => ({
      name,
      levels: { weights: name },
      ...(content === undefined ? {} : { weights: content }),
    });
    const arms = [
      arm('random'),
      arm('other-seed', { seed: 20_000_003 }),
      arm('equal', 'equal'),
      ...(hasTrainedFile ? [arm('trained', 'trained')] : []),
    ];
    const experiment = declareExperiment({
      name: 'weights',
      question:
        'Does the same architecture cost more or less time when all its weights are equal, of another seed or trained?',
      factors: [{ name: 'weights', levels: arms.map(({ name }) => name) }],
      arms,
      comparisons: [
        compareArms('random', 'equal'),
        compareArms('random', 'other-seed'),
        ...(hasTrainedFile ? [compareArms('random', 'trained')] : []),
      ],
    });
    const why = 'no file was given: --trained FILE.gguf of the same shape';
    return { experiment, withheld: hasTrainedFile ? [] : [{ what: 'trained weights', why }] };
  },
};

export const cpuPolicy: BuiltIn = {
  name: 'cpu-policy',
  summary: 'the CPU’s governor or energy preference switched for a trial and put back after it',
  declare({ cpuPolicy: policy }) {
    if ('withheld' in policy)
      return { experiment: null, withheld: [{ what: 'the CPU policy', why: policy.withheld }] };
    const { attribute, values } = policy;
    const arms = values.map((value): Arm => {
      const launch = { cpuPolicy: { attribute, value } };
      return { name: value, levels: { policy: value }, launch };
    });
    const [first, ...others] = values;
    const experiment = declareExperiment({
      name: 'cpu-policy',
      question: `Does ${attribute} change the time of the same work?`,
      factors: [{ name: 'policy', levels: [...values] }],
      arms,
      comparisons: others.map((value) => compareArms(first!, value)),
      natural: [...values],
    });
    return { experiment, withheld: [] };
  },
};

import type { Subject } from './term.ts';

/** What measuring cost, and how to spend it next time. */
export const cost: Subject = {
  title: 'Hardware time and advice',
  terms: [
    {
      name: 'hardware time',
      aliases: ['cost', 'sum of cost parts', 'cost parts'],
      meaning:
        'All time from the start of a session’s first trial to the end of its last, in parts that add up to it exactly. Failed and interrupted trials are in it.',
      isNot: 'building models and runner, pauses between sessions, or the report.',
      rule: 'sum of loading, warm-up, kept repetitions, the preparation of both, the rest of the processes, failed and interrupted trials, reading the device, waiting, and harness',
      source: 'docs/analysis.md',
      related: ['loading', 'preparation', 'process rest', 'harness', 'device reads', 'idle wait'],
    },
    {
      name: 'loading',
      aliases: ['load', 'loading model and context'],
      meaning:
        'The part of the hardware time in which processes load the model and make its context.',
      isNot: 'in any time of an item.',
      rule: null,
      source: 'docs/analysis.md',
      related: ['hardware time', 'one process'],
    },
    {
      name: 'preparation',
      aliases: [
        'preparing the warm-up ones (clearing; prefill before decode)',
        'preparing the kept ones (clearing; prefill before decode)',
        'prepareNs',
      ],
      meaning:
        'Work before each repetition outside its timer: clearing the cache and, before decode, the prefill of S tokens.',
      isNot: 'warm-up: those are timed repetitions.',
      rule: null,
      source: 'docs/analysis.md; docs/protocol-v1.md',
      related: ['hardware time', 'warm-up', 'one repetition'],
    },
    {
      name: 'process rest',
      aliases: ['process start, exit and the rest', 'rest of the process'],
      meaning: 'What remains of the processes’ lives: start, exit and all else in them.',
      isNot: 'measured by itself: it is the difference of the whole and the other parts.',
      rule: 'process − loading − repetitions − preparation',
      source: 'docs/analysis.md',
      related: ['hardware time', 'process'],
    },
    {
      name: 'interrupted attempts',
      aliases: ['interrupted', 'interrupted attempt', 'interrupted trials'],
      meaning:
        'Time of trials that were stopped with the program and measured again. Attempts whose time nobody knows are counted beside the sum.',
      isNot: 'a failure: a failed trial is not measured again.',
      rule: null,
      source: 'docs/analysis.md; docs/formats.md',
      related: ['hardware time', 'trial'],
    },
    {
      name: 'device reads',
      aliases: ['reading the device state'],
      meaning: 'Time to read the device’s state at the boundaries of trials.',
      isNot: 'inside a trial: nothing is read while one runs.',
      rule: null,
      source: 'docs/analysis.md; docs/protocol-v1.md',
      related: ['hardware time', 'disturbed'],
    },
    {
      name: 'idle wait',
      aliases: ['waiting for an idle device', 'waiting'],
      meaning: 'Time spent waiting for the device to become idle, where the protocol asks for it.',
      isNot: 'part of v1, which does not wait.',
      rule: null,
      source: 'docs/protocol-v1.md',
      related: ['hardware time', 'disturbed'],
    },
    {
      name: 'harness',
      aliases: ['harnessNs'],
      meaning:
        'Time between the end of one trial and the end of the next that was neither the runner’s process, a read of the device nor a wait: rooflaw’s own work.',
      isNot: 'in any time of an item.',
      rule: null,
      source: 'docs/formats.md',
      related: ['hardware time'],
    },
    {
      name: 'of the time now',
      aliases: ['costShare', 'allocation', 'advice', 'another split'],
      meaning:
        'Hardware time that another split of repetitions and processes would take for the same standard error of the item’s mean, in % of what this campaign took for the item.',
      isNot:
        'advice about medians, tails or two speeds: it is about means of independent repetitions, and changes nothing here.',
      rule: 'r = √((process cost / repetition cost) × (variance inside / variance between)), rounded up',
      source: 'docs/analysis.md; Kalibera & Jones 2013',
      related: ['kept repetitions', 'process', 'one repetition', 'one process'],
    },
    {
      name: 'one repetition',
      aliases: ['repetitionCostNs'],
      meaning: 'Mean cost of one more kept repetition, with its preparation.',
      isNot: 'the item’s time: preparation is in it.',
      rule: null,
      source: 'docs/analysis.md',
      related: ['of the time now', 'preparation'],
    },
    {
      name: 'one process',
      aliases: ['processCostNs'],
      meaning: 'Mean cost of one more process, with its start, load and warm-up.',
      isNot: 'a trial’s whole time: the kept repetitions are not in it.',
      rule: null,
      source: 'docs/analysis.md',
      related: ['of the time now', 'process', 'warm-up'],
    },
  ],
};

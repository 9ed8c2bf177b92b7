import type { Subject } from './term.ts';

const page = 'docs/diagnosis.md';

/** What `rooflaw diagnose` prints. */
export const diagnosing: Subject = {
  title: 'Why it was slow',
  terms: [
    {
      name: 'arm',
      aliases: ['arms', 'intervention', 'treatment'],
      meaning:
        'One way of doing the same work in a controlled experiment: a level of everything that the experiment changes on purpose. Each block has one fresh process of every arm.',
      isNot:
        'a variant of a campaign: arms are compared with one another only, and never with baseline data.',
      rule: null,
      source: page,
      related: ['block', 'caused by the intervention'],
    },
    {
      name: 'block',
      aliases: ['blocks', 'Williams', 'williams', 'Latin square', 'balanced order'],
      meaning:
        'One process of every arm in every condition, the arms of a condition one after another. Numbers of one block are compared as pairs, so that what drifts from block to block is in both.',
      isNot: 'a round of a campaign, whose order is drawn at once over all items.',
      rule: 'Williams: in n blocks (2n where n is odd) each arm stands in each place, and directly after each other arm, equally often',
      source: `${page}; Williams 1949, Aust. J. Sci. Res. A 2, 149-168`,
      related: ['arm', 'caused by the intervention'],
    },
    {
      name: 'caused by the intervention',
      aliases: ['caused by the intervention in this experiment', 'caused', 'larger'],
      meaning:
        'Arms that were assigned in balanced random order differ: b is larger, or smaller, in more blocks than chance would have it. It holds for these arms, this work and this machine.',
      isNot:
        'the cause of delays that nobody forced, nor an effect that may be added to that of another experiment.',
      rule: 'sign test over the blocks, corrected by Holm over all declared comparisons, at most 0.05, and the 95 % interval of the median ratio clear of 1',
      source: page,
      related: ['associated', 'not distinguishable here', 'block'],
    },
    {
      name: 'associated',
      aliases: ['association'],
      meaning:
        'Two things go together where nothing was assigned: two numbers of one arm, or slow repetitions and an event such as a move.',
      isNot: 'caused: which brings the other, or a third both, is not known.',
      rule: 'for an event: in each process with slow and other repetitions the share of both that had it; sign test over at least six such processes, corrected by Holm over the events',
      source: page,
      related: ['caused by the intervention', 'not distinguishable here'],
    },
    {
      name: 'not distinguishable here',
      aliases: ['not distinguishable'],
      meaning:
        'The blocks do not show a difference. The interval says how large one they leave room for.',
      isNot: 'equal: a difference may be there that this many blocks do not show.',
      rule: null,
      source: page,
      related: ['caused by the intervention', 'not measured'],
    },
    {
      name: 'not measured',
      aliases: ['withheld here'],
      meaning:
        'A number that the machine did not offer, too few pairs, or an experiment before its last declared block; the reason stands beside it. Withheld: a conclusion that would need it.',
      isNot: 'zero, and not an answer.',
      rule: 'an interval needs six pairs',
      source: page,
      related: ['not distinguishable here'],
    },
    {
      name: 'time off the CPU',
      aliases: [
        'off CPU',
        'main CPU',
        'CPU time',
        'waited',
        'more waiting',
        'other waiting',
        'CPU time grew',
        'time off the CPU grew',
        'both grew',
      ],
      meaning:
        'Elapsed less CPU time of the main thread. Of a slow repetition it says which of its times grew; where the kernel tells, it is split into waiting for a CPU and other waiting (a device, a lock, a page).',
      isNot: 'time lost to the scheduler: other waiting looks the same in it.',
      rule: 'share of the extra time that is CPU time: at least 0.7 CPU time grew, at most 0.3 time off the CPU grew, between them both',
      source: page,
      related: ['associated', 'effective frequency'],
    },
    {
      name: 'effective frequency',
      aliases: ['frequency', 'inv. switches', 'moves', 'CPUs'],
      meaning:
        'Cycles that a CPU ran in a time, over those at its base frequency (APERF over MPERF). Beside slow repetitions: over the median of the same work under the same arm.',
      isNot:
        'that of the thread alone: other work and interrupts on the same CPU are in it. Intervals in which the thread moved have none.',
      rule: 'aperf / mperf, times the base frequency where the processor says it',
      source: `${page}; Intel SDM vol. 3, 15.2`,
      related: ['time off the CPU', 'not measured'],
    },
  ],
};

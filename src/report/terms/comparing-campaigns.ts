import type { Subject } from './term.ts';

/** Two campaigns, several sessions, and what was the same in them. */
export const comparingCampaigns: Subject = {
  title: 'Comparing campaigns',
  terms: [
    {
      name: 'change',
      aliases: [],
      meaning:
        'Time of one side over time of the other, less 1. Whether it is judged depends on the command.',
      senses: {
        compare:
          'Of two campaigns: how the same item moved from one to the other. They were not interleaved, so no test is offered and there is no verdict.',
        gate: 'Of the candidate against base, measured in the same randomised rounds, a fresh process of each in every one. Its interval stands beside it and the verdict judges it.',
      },
      isNot: 'a difference in tokens per second: +3 % of time are 2.9 % fewer of these.',
      rule: 'compare: B / A − 1, of two representatives; gate: median over the rounds of candidate / base, less 1',
      source: 'docs/compare.md; docs/ab-and-gate.md',
      related: ['ratio', 'confounded with session', 'verdict', 'gate'],
    },
    {
      name: 'confounded with session',
      aliases: ['confounded', 'not interleaved'],
      meaning:
        'Two campaigns were measured one after the other, so that whatever changed in between is in every change.',
      isNot: 'a fault of the data: it takes one campaign that measures both in the same rounds.',
      rule: null,
      source: 'docs/compare.md',
      related: ['change', 'session', 'share'],
    },
    {
      name: 'share',
      aliases: ['session share', 'sessionShare'],
      meaning: 'Of the variance of an item’s log times, the part that lies between sessions.',
      isNot: 'well known from two or three sessions; a negative component counts as 0.',
      rule: 'between² / (between² + within²); one-way random effects, ANOVA estimator',
      source: 'docs/compare.md; Searle, Casella & McCulloch 1992, 3.6',
      related: ['within', 'between', 'session'],
    },
    {
      name: 'within',
      aliases: ['withinSessions', 'within sessions'],
      meaning: 'Standard deviation of an item’s log times inside sessions: 0.01 is about 1 %.',
      isNot: 'a percentage where it is large.',
      rule: '√ of the mean square inside sessions',
      source: 'docs/compare.md; Searle, Casella & McCulloch 1992, 3.6',
      related: ['between', 'share', 'session'],
    },
    {
      name: 'between',
      aliases: ['betweenSessions', 'between sessions'],
      meaning:
        'Standard deviation of an item’s log time from session to session: 0.01 is about 1 %.',
      isNot: 'the difference of two sessions, or a percentage where it is large.',
      rule: '√((MS between − MS within) / n0), 0 where that is negative',
      source: 'docs/compare.md; Searle, Casella & McCulloch 1992, 3.6',
      related: ['within', 'share', 'session'],
    },
    {
      name: 'runner',
      aliases: [],
      meaning:
        'The small program that carries out one trial. The row says whether it was the same file in both campaigns, or on both sides of ab and gate.',
      isNot: 'llama.cpp itself, whose libraries it is linked to.',
      rule: 'same SHA-256',
      source: 'docs/compare.md; docs/formats.md',
      related: ['libraries of llama.cpp', 'backend'],
    },
    {
      name: 'libraries of llama.cpp',
      aliases: ['libraries', 'llama.cpp'],
      meaning:
        'Whether llama.cpp’s libraries were the same files in both campaigns; in ab and gate, as llama.cpp, on both sides.',
      isNot: 'a comparison of versions: one changed byte is another library.',
      rule: 'same SHA-256',
      source: 'docs/compare.md',
      related: ['runner', 'backend'],
    },
    {
      name: 'device and driver',
      aliases: ['device', 'cpu_info', 'gpu_info'],
      meaning:
        'Whether the kind of device was the same in both campaigns. In ab and gate it is the device that both sides ran on; in bench’s JSON devices is its name, none for the CPU. In the list of sessions device numbers the very devices, where they are known.',
      isNot: 'the very device: two of one kind count as the same here.',
      rule: 'same name, description, driver, CPU model and count',
      source: 'docs/compare.md',
      related: ['the very device', 'environment'],
    },
    {
      name: 'the very device',
      aliases: ['specimen', 'specimenSha256', 'very device'],
      meaning:
        'Whether both campaigns ran on one and the same specimen, where both ledgers know it.',
      isNot: 'an identifier: a ledger holds a hash, and outputs only say same, other or not known.',
      rule: 'SHA-256 of rooflaw-specimen/ and the GPU’s UUID or the machine’s id',
      source: 'docs/compare.md',
      related: ['device and driver', 'session'],
    },
    {
      name: 'order of measuring',
      aliases: ['schedule', 'schedule seed'],
      meaning: 'Whether both campaigns drew the order of their trials from the same seed.',
      isNot: 'an effect of order.',
      rule: null,
      source: 'docs/compare.md',
      related: ['round', 'order effect'],
    },
    {
      name: 'rooflaw',
      aliases: [],
      meaning:
        'Whether version and commit of rooflaw were the same; not known where they differ only in whether files were changed.',
      isNot: 'a fault where it differs: the protocol, not the program, says how it is measured.',
      rule: null,
      source: 'docs/compare.md',
      related: ['runner', 'protocol'],
    },
    {
      name: 'model',
      aliases: ['models', 'model_type'],
      meaning:
        'An architecture with a quantization and random weights from a seed: one file, named by its SHA-256. In a comparison of campaigns the row says whether these hashes were the same; in llama-bench’s table the column describes the file’s architecture, size class and quantization.',
      isNot: 'trained: only its cost is measured.',
      rule: null,
      source: 'docs/formats.md; docs/compare.md',
      related: ['architecture', 'quantization', 'size'],
    },
  ],
};

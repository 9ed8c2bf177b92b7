import type { Subject } from './term.ts';

/** Rules that stop a campaign when it is decided. */
export const deciding: Subject = {
  title: 'Stopping when it is decided',
  terms: [
    {
      name: 'stopping rule',
      aliases: ['stopping', 'stop', 'sequential', 'replay'],
      meaning:
        'A protocol’s rule to look at every comparison after each round and to stop when all are decided. A replay runs a recorded campaign through one.',
      isNot:
        'looking again and again at an ordinary interval. A rule chosen after seeing the data guarantees nothing.',
      rule: 'v2: S2, at most 30 rounds, 5 % for any wrong decision in the whole campaign, margin 0.5 %, equivalence 2 %',
      source: 'docs/protocol-v2.md',
      related: ['S1', 'S2', 'decided', 'running interval'],
    },
    {
      name: 'S1',
      aliases: [],
      meaning:
        'The open-ended way to stop by evidence: an e-value that may be looked at at any time.',
      isNot: 'bound to a maximum; it decides a little later than S2.',
      rule: 'enough when E = 2^t · Beta(k + ¼, t − k + ¼) / Beta(¼, ¼) reaches 1/alpha, after t pairs of which k are above; round 11 at the earliest with 22 comparisons',
      source: 'docs/protocol-v2.md; Robbins 1970',
      related: ['S2', 'e-value', 'stopping rule'],
    },
    {
      name: 'S2',
      aliases: ['alpha spending', 'method S2'],
      meaning:
        'The way to stop within a fixed maximum of rounds: the permitted error is spent over the rounds, and all intervals hold at once.',
      isNot:
        'free of its maximum: 30 rounds planned and 20 measured is not the same as 20 planned.',
      rule: 'nothing before round t0, the first with 2^(1 − t0) ≤ alpha, then in equal steps up to alpha at the maximum; t0 is 10 with 22 comparisons at 5 %, 6 in ab with one test, 7 in gate with one',
      source: 'docs/protocol-v2.md; Lan & DeMets 1983',
      related: ['S1', 'running interval', 'stopping rule', 'alpha'],
    },
    {
      name: 'alpha',
      aliases: ['alphaOfEach', 'error'],
      meaning: 'The permitted probability of a wrong decision, shared by all comparisons.',
      isNot: 'the probability that a given decision is wrong.',
      rule: 'v2: 0.05; with Bonferroni each of m comparisons has 0.05 / m',
      source: 'docs/protocol-v2.md',
      related: ['Bonferroni', 'stopping rule'],
    },
    {
      name: 'state',
      aliases: [],
      meaning:
        'What a stopping rule says of b against a so far: slower, faster, equivalent or open. In status it is the state of a campaign.',
      senses: {
        analyze: 'slower, faster, equivalent or open.',
        status: 'running, complete, incomplete, broken or unreadable.',
      },
      isNot: 'a verdict of compare, which is a test for a fixed number of rounds.',
      rule: null,
      source: 'docs/protocol-v2.md',
      related: ['decided', 'open', 'slower', 'faster', 'equivalent'],
    },
    {
      name: 'decided',
      aliases: ['decided after', 'decidedAfter', 'decision'],
      meaning:
        'After how many rounds a comparison was decided by the stopping rule; – where it never was. Once decided it keeps its decision.',
      senses: {
        ab: 'The test is left out of all later rounds; its pairs stay as many as they were.',
        gate: 'There is no such column. While it measures, decided counts two comparisons of each test, A/A and the candidate’s; all are measured to the end.',
        analyze:
          'Of a campaign of v2 the items go on being measured until the last comparison is decided, of one of ab they do not.',
        status: 'How many of the comparisons are decided so far.',
      },
      isNot: 'the end of the campaign: that comes with the last comparison.',
      rule: 'in the ledger’s protocol stopping.measured is open where a decided item is left out, as in ab',
      source: 'docs/protocol-v2.md; docs/ab-and-gate.md; docs/formats.md',
      related: ['state', 'open', 'stopping rule'],
    },
    {
      name: 'open',
      aliases: ['undecided'],
      meaning: 'Not decided by the stopping rule: neither a difference nor equivalence was shown.',
      senses: {
        ab: 'It is called inconclusive in the column verdict.',
        gate: 'It is called inconclusive in the column verdict.',
        analyze: 'The state of a comparison that is not decided.',
      },
      isNot: 'a verdict, or a sign that the two are equal.',
      rule: null,
      source: 'docs/protocol-v2.md',
      related: ['state', 'inconclusive', 'decided'],
    },
    {
      name: 'running interval',
      aliases: ['interval so far', 'running'],
      meaning:
        'What the intervals of the ratio after all rounds so far have in common. It decides; where they have nothing in common, the ratio drifted and the comparison stays open.',
      senses: {
        status: 'running says that a process is at work on the campaign now.',
      },
      isNot: 'the interval after this round, which may be wider.',
      rule: 'slower above 1 + margin, faster below 1 − margin, equivalent within 1 ± equivalence',
      source: 'docs/protocol-v2.md',
      related: ['after this round', 'decided', 'S2'],
    },
    {
      name: 'after this round',
      aliases: ['current', 'current interval'],
      meaning: 'Interval of the median ratio from all pairs so far, by itself.',
      isNot: 'what decides: that is the running interval.',
      rule: 'k-th smallest to k-th largest ratio; v2 with 22 comparisons: k = 1 in rounds 10 to 17, 5 in rounds 29 and 30',
      source: 'docs/protocol-v2.md',
      related: ['running interval', 'pairs'],
    },
    {
      name: 'e-value',
      aliases: ['eValue', 'evidence'],
      meaning:
        'Evidence of S1 against a ratio within 1 ± margin. Its reciprocal bounds the probability of seeing as much by chance, at any time.',
      isNot: 'a p-value: large ones speak against chance. S2 has none.',
      rule: 'enough at 1 / alpha',
      source: 'docs/protocol-v2.md; Robbins 1970',
      related: ['S1', 'alpha', 'margin'],
    },
  ],
};

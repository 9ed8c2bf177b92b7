import type { Subject } from './term.ts';

const page = 'docs/bench.md';

/** How bench, ab and gate choose what they measure, and how many variants are shown. */
export const spending: Subject = {
  title: 'What bench does with its time',
  terms: [
    {
      name: 'pilot',
      aliases: ['pilots', 'pilot campaign'],
      meaning:
        'A small campaign before the real one, from which warm-up, kept repetitions and rounds are chosen. It is kept apart under the name of the campaign with -pilot behind it.',
      isNot: 'a part of the result: no verdict and no interval looks at it.',
      rule: 'two processes of each item, in bench with ten repetitions; none where all counts are given',
      source: `${page}; docs/ab-and-gate.md`,
      related: ['budget', 'warm-up', 'kept repetitions', 'campaign'],
    },
    {
      name: 'probe',
      aliases: ['probes', 'probe campaign'],
      meaning:
        'One process of one repetition of every model under every variant, before the campaign, to see that each loads. It takes the pilot’s place where all counts are given, and is kept apart under the name of the campaign with -probe behind it.',
      isNot: 'a part of the result.',
      rule: null,
      source: 'src/commands/bench-first-trials.ts',
      related: ['pilot', 'left out', 'campaign'],
    },
    {
      name: 'first look',
      aliases: ['not warm'],
      meaning:
        'A first rate, said as soon as a model is loaded, so that a wrong file or option shows at once: four tokens of decode (16 of prefill where nothing is decoded), with nothing before them, in a process of its own before the first trial. Where that process fails it is the middle of the first trial’s repetitions, and where that fails too, the trial’s failure says why.',
      isNot: 'a result: it is in no ledger, and no table or interval knows of it.',
      rule: null,
      source: 'docs/bench.md; src/commands/first-look.ts',
      related: ['pilot', 'warm-up', 'process'],
    },
    {
      name: 'left out',
      aliases: ['left out after the pilot', 'left out after the probe'],
      meaning: 'Something that was asked for and is not measured, or not any more.',
      senses: {
        bench:
          'LEFT OUT after the pilot (or probe): what could not be loaded or run in it, with the reason. The rest is measured.',
        ab: 'A test that is decided is left out of later rounds.',
        analyze:
          'An item whose comparisons were all decided is left out of the rounds after that: nothing failed.',
      },
      isNot: 'data that were removed: all that was measured is kept.',
      rule: null,
      source: 'src/commands/bench-first-trials.ts; docs/ab-and-gate.md',
      related: ['pilot', 'probe', 'decided', 'trial'],
    },
    {
      name: 'careful',
      aliases: ['other load'],
      meaning:
        'Something that was seen and makes the numbers worth less: another load on the machine, repetitions that are not warm yet, more tokens than a model was made for. The measuring goes on.',
      isNot:
        'an error, nor a reason for which anything is removed. doctor says more of the machine.',
      rule: null,
      source: 'docs/bench.md',
      related: ['disturbed', 'warm-up', 'environment'],
    },
    {
      name: 'unknown',
      aliases: ['not known'],
      meaning: 'It cannot be said. What is missing stands below the table.',
      senses: {
        bench:
          'In the column stable: one kept repetition, or one process, has no spread. Behind build: the library does not report its commit.',
        compare: 'not known: at least one of the ledgers does not hold it.',
      },
      isNot: 'no, and not zero.',
      rule: null,
      source: page,
      related: ['stable', 'missing', 'none'],
    },
    {
      name: 'none',
      aliases: [],
      meaning: 'There is no such thing here.',
      senses: {
        bench:
          'In the column interval t/s: too few processes for an interval, it takes six. In t/s: no process gave a time. As dev none: the CPU; as sm none: one device, nothing is split.',
      },
      isNot: 'zero.',
      rule: null,
      source: page,
      related: ['interval', 'missing', 'sm', 'unknown'],
    },
    {
      name: 'yes',
      aliases: ['no'],
      meaning: 'Whether what the heading says holds of this row: stable, explorable, agree.',
      isNot: 'a verdict on a difference.',
      rule: null,
      source: 'docs/analysis.md',
      related: ['stable', 'explorable', 'agree', 'unknown'],
    },
    {
      name: 'complete',
      aliases: ['incomplete', 'unreadable'],
      meaning:
        'The campaign has come to its end: all trials are concluded, or its rule stopped it. Incomplete: it has not, and the same command goes on with it. Unreadable: its ledger cannot be opened.',
      isNot: 'a judgement of the numbers.',
      rule: null,
      source: 'docs/formats.md',
      related: ['campaign', 'broken', 'state'],
    },
    {
      name: 'sound',
      aliases: ['last line', 'faults', 'fault'],
      meaning:
        'verify read the ledger from the first byte to the last, and every line is chained to the one before. The hash of the last line stands for the whole: write it down elsewhere.',
      isNot: 'proof against whoever holds the ledger: a chain can be made anew.',
      rule: null,
      source: 'docs/formats.md',
      related: ['ledger', 'broken', 'complete'],
    },
    {
      name: 'budget',
      aliases: ['time budget', 'budgetNs'],
      meaning:
        'The time that bench may spend on the campaign; the pilot chooses as many processes as fit into it.',
      isNot:
        'a limit by which a running campaign is cut, nor of the pilot, which comes before it. ab has --max-rounds and gate has --time.',
      rule: 'without one ten processes of each item, or fewer when they do not fit into five minutes, but at least six',
      source: page,
      related: ['pilot', 'few-loads', 'process', 'interval to expect'],
    },
    {
      name: 'interval to expect',
      aliases: ['interval to expect (covers # %)', 'expected interval', 'expected at'],
      meaning:
        'Half the width, in % of the median, that the interval of an item should have after the campaign, forecast from how the pilot’s processes and repetitions scatter.',
      isNot:
        'a promise: two processes of a pilot say little, and slow tails that they do not show make it wider. Two of different coverage are not to be compared as they stand: six processes cover 96.9 %, ten 97.9 %.',
      rule: 'process means taken for normal with the variance between processes + variance inside / kept; from six processes on; the range behind it holds at 95 %',
      source: `${page}; src/protocol/budget-expectation.ts`,
      related: ['pilot', 'budget', 'interval', 'covers'],
    },
    {
      name: 'few-loads',
      aliases: ['few loads', 'fewer loads'],
      meaning:
        'A protocol of bench for large files: six processes of each item, and the rest of the time goes into repetitions.',
      isNot:
        'to be pooled with bench. What differs between processes is seen six times, and no number of repetitions makes up for it.',
      rule: '--protocol few-loads',
      source: page,
      related: ['budget', 'restored', 'loading'],
    },
    {
      name: 'restored',
      aliases: [
        'restore',
        'bench-restored',
        'tokens-restored',
        'few-loads-restored',
        'cachePreparation',
        'cache preparation',
      ],
      meaning:
        'The cache before a repetition is computed once in a process and then copied back, not computed again. Protocols that do so end in -restored.',
      isNot:
        'to be pooled with computed ones: what a prefill leaves in the caches of the processor is not there.',
      rule: 'cachePreparation: "restore"; with tokens-restored there is no time to the first token',
      source: `${page}; docs/formats.md`,
      related: ['few-loads', 'protocol', 'time to first token'],
    },
    {
      name: 'heat map',
      aliases: [
        'heatmap',
        'heat maps',
        'cannot be told apart',
        'cannot be told from the best',
        '= cannot be told from the best',
        '*',
        '=',
        '?',
        'the best',
        'best',
        'no time',
      ],
      meaning:
        'A table of the rates of a test over the two settings that vary most. Its corner names the two, as in threads \\ batch, and those in brackets change along with the one before. Behind a rate * is the best, = cannot be told from it, ? has no interval, nothing is slower; – has no time, and an empty cell is no variant.',
      isNot:
        'a test: the best was picked after looking, and overlapping intervals are no equality. compare tests a pair.',
      rule: 'from four variants on; a cell cannot be told from the best where their intervals, simultaneous over all cells of the test (95 % together), overlap',
      source: page,
      related: ['cell', 'variant', 'interval', 'simultaneous interval'],
    },
    {
      name: 'cell',
      aliases: ['cells', 'cells of a test', 'choosing among cells'],
      meaning:
        'One variant under one test of one model: one place of a heat map. Choosing among the cells of a test takes more processes of each than one interval does.',
      isNot: 'a cell of the KV cache, in which a token is kept.',
      rule: 'processes of each: 8 for 4 to 6 cells of a test, 9 for 7 to 12, 10 for 13 to 25; with fewer no cell can be told from the best',
      source: page,
      related: ['heat map', 'variant', 'simultaneous interval', 'process'],
    },
  ],
};

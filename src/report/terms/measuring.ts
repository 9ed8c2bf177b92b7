import type { Subject } from './term.ts';

/** What is measured, and in which units. */
export const measuring: Subject = {
  title: 'What is measured',
  terms: [
    {
      name: 'item',
      aliases: ['prefill item', 'decode item'],
      meaning:
        'A condition in one phase, such as mid Q8_0 S512 decode. It is the unit of the analysis: it has one representative.',
      isNot: 'a trial: an item is measured by many.',
      rule: 'item = architecture, quantization, sequence length S and phase; in bench also depth, steps and variant',
      source: 'docs/protocol-v1.md',
      related: ['condition', 'phase', 'trial', 'time'],
    },
    {
      name: 'condition',
      aliases: ['conditions'],
      meaning:
        'A model at a sequence length: architecture, quantization and S. In the result of import llama-bench it is every column that is not a result.',
      isNot: 'an item: a condition has one item in each phase.',
      rule: null,
      source: 'docs/protocol-v1.md; docs/import-llama-bench.md',
      related: ['item', 'architecture', 'quantization', 'sequence length'],
    },
    {
      name: 'phase',
      aliases: [],
      meaning: 'Prefill or decode: what of a run is timed.',
      isNot: 'a part of one run here: each trial measures one phase, in a process of its own.',
      rule: null,
      source: 'docs/protocol-v1.md',
      related: ['prefill', 'decode'],
    },
    {
      name: 'prefill',
      aliases: ['prompt processing', 'pp', 'pp#', 'prefill (# tokens)'],
      meaning:
        'Time to process S tokens, from an empty cache to the final synchronize. llama-bench calls the test of N tokens ppN: pp512 has 512.',
      isNot: 'time to the first token of a service: no sampling, queue or network is in it.',
      rule: 'In v1 tokens are processed in batches of 512, and of 128 inside llama.cpp (ubatch)',
      source: 'docs/protocol-v1.md',
      related: ['decode', 'phase', 'test'],
    },
    {
      name: 'decode',
      aliases: ['token generation', 'text generation', 'tg', 'tg#'],
      meaning:
        'Time of 64 single-token steps after S tokens, which were put into the cache outside the timer; bench takes as many steps as its test names. llama-bench calls the test of N tokens tgN: tg128 has 128, by default from an empty cache.',
      isNot:
        'time of one token: in rooflaw’s tables it is that of all steps. Nor is it a fixed context: it grows from S to S + 63.',
      rule: 'each step is synchronized; the 64 are timed together',
      source: 'docs/protocol-v1.md',
      related: ['prefill', 'phase', 'tokens/s', 'test'],
    },
    {
      name: 'sequence length',
      aliases: ['S', 'S#', 'context length', 'sequenceLength'],
      meaning:
        'S, the number of tokens that are processed in prefill, or lie in the cache before decode begins. S512 means 512.',
      isNot: 'the context that a model could hold.',
      rule: null,
      source: 'docs/protocol-v1.md',
      related: ['prefill', 'decode', 'KV bytes'],
    },
    {
      name: 'repetition',
      aliases: ['rep', 'reps'],
      meaning: 'One timed run inside a process, warm-up or kept.',
      isNot:
        'a sample: repetitions of one process share its state, so 10 trials of 5 kept ones are n = 10, never 50.',
      rule: 'v1: 25 in each trial, 20 warm-up and 5 kept',
      source: 'docs/protocol-v1.md',
      related: ['trial', 'warm-up', 'kept repetitions'],
    },
    {
      name: 'warm-up',
      aliases: ['warmup', 'warm-up repetitions', 'steady', 'steady from repetition'],
      meaning:
        'The first repetitions of a process, which are timed and recorded but not kept. How many they are is fixed by the protocol, never by looking at the times.',
      isNot:
        'a proof of a steady state: where the median over trials becomes steady is given as advice for a next protocol and changes nothing in this one.',
      rule: 'v1: the first 20 of 25; pocket-1: the first 10. Advice: the last level of the series, cut by penalised least squares; levels within 0.5 % of the last one count as it; at least 5 repetitions must follow',
      source: 'docs/protocol-v1.md; docs/analysis.md; PELT: Killick et al. 2012',
      related: ['repetition', 'kept repetitions', 'start transient'],
    },
    {
      name: 'kept repetitions',
      aliases: ['kept', 'kept repetition'],
      meaning:
        'The repetitions of a process that count: their mean is the trial’s sample. As a column of the advice it is how many a next protocol would keep.',
      isNot: 'samples of their own, and not a selection by their times.',
      rule: 'v1: the last 5 of 25',
      source: 'docs/protocol-v1.md; docs/analysis.md',
      related: ['repetition', 'trial mean', 'warm-up', 'of the time now'],
    },
    {
      name: 'trial',
      aliases: [
        'trials',
        'valid trial',
        'valid trials',
        'failed trial',
        'failed trials',
        'failed',
        'observed',
      ],
      meaning:
        'One fresh process that measures one item; its mean over the kept repetitions is one sample. A valid trial ended with all its times; a failed one has none, but is counted and its cost kept.',
      isNot: 'a repetition. A slow trial is valid: nothing is removed.',
      rule: 'v1: 10 trials of each item',
      source: 'docs/protocol-v1.md',
      related: ['trial mean', 'process', 'n', 'repetition'],
    },
    {
      name: 'trial mean',
      aliases: ['sample', 'samples', 'trialMeanNs'],
      meaning: 'Mean of a trial’s kept repetitions: the one sample that a trial gives.',
      isNot: 'the sample of llama-bench, which is one repetition; all of those share a process.',
      rule: 'v1: mean of 5',
      source: 'docs/protocol-v1.md',
      related: ['trial', 'time', 'kept repetitions'],
    },
    {
      name: 'process',
      aliases: ['processes', 'of each process'],
      meaning:
        'A run of the runner from start to exit; every trial is a fresh one. In tokens of each process heads rows that are worked out in every process by itself. As a column it counts them: those behind a figure, or in the advice those that a next protocol would start.',
      isNot: 'a thread or a repetition. llama-bench measures all samples of a test in one process.',
      rule: null,
      source: 'docs/protocol-v1.md; docs/analysis.md',
      related: ['trial', 'n', 'one process'],
    },
    {
      name: 'round',
      aliases: ['rounds', 'complete round'],
      meaning:
        'One pass over all items, in an order drawn at random for it. What changes slowly in the machine meets all items alike. A complete round has a valid trial of every item. In ab a round has a fresh process of either side for every test that is not decided; in gate of base, base again and the candidate.',
      isNot: 'a session: one start of rooflaw run may measure many rounds.',
      rule: 'v1: 10 rounds',
      source: 'docs/protocol-v1.md',
      related: ['trial', 'order effect', 'round subsets', 'pairs'],
    },
    {
      name: 'reference',
      aliases: ['ref', '[ref]', '[ref, added]', '[first]', 'first item'],
      meaning:
        'One model that is measured in both phases in every round, to show drift. It is marked [ref]; [ref, added] where the space itself lacks it. A protocol without one, such as bench, looks at the plan’s first item of each phase in its place, which is marked [first]: in ab the first test of a in each phase, in gate of base.',
      isNot:
        'a norm that others are held against, unless a stopping rule compares all items with it.',
      rule: 'v1: 16 layers, 16 heads of 64, 8 KV heads, feed-forward 2816, vocabulary 32,000, Q8_0, S = 512',
      source: 'docs/protocol-v1.md',
      related: ['drift', 'stopping rule'],
    },
    {
      name: 'protocol',
      aliases: ['v1', 'v2', 'pocket-1', 'v1-cpu2'],
      meaning:
        'The frozen rules of measuring; its identity is the hash of its canonical JSON. In a comparison of campaigns the row says whether the rules were the same.',
      isNot: 'a version of the program: a released protocol never changes.',
      rule: 'Compared campaigns have the same protocol when all rules agree but the number of rounds, the rounds that drift is judged by, name and description',
      source: 'docs/protocol-v1.md; docs/compare.md',
      related: ['campaign', 'stopping rule'],
    },
    {
      name: 'campaign',
      aliases: ['campaigns'],
      meaning: 'A protocol and a plan, executed on one device with one backend into one ledger.',
      isNot: 'a session: a campaign may be stopped and resumed.',
      rule: null,
      source: 'docs/formats.md',
      related: ['ledger', 'protocol', 'session', 'baseline'],
    },
    {
      name: 'ledger',
      aliases: [],
      meaning:
        'The file with every raw timing of a campaign, one line after the other, each chained to the one before by a hash.',
      isNot:
        'proof against whoever holds it: a chain can be made anew, unless the hash of its last line is known elsewhere.',
      rule: 'each line holds the SHA-256 of the line before',
      source: 'docs/formats.md',
      related: ['campaign', 'trial'],
    },
    {
      name: 'seal',
      aliases: ['seals', 'seal.json', 'sealed', 'fingerprint of a key'],
      meaning:
        'A signature over the hash of a ledger’s last line: whoever has the public key can see whether the ledger is the one that the key’s holder sealed, to the last byte. A key is named by its fingerprint, the SHA-256 of its public half.',
      isNot:
        'proof that what stands in the ledger was measured: it shows who vouches for it, and that nothing was changed since.',
      rule: 'Ed25519 over the campaign’s name, the number of lines, their bytes, the hash of the last line, the time and the public key',
      source: 'docs/seal.md',
      related: ['ledger', 'campaign'],
    },
    {
      name: 'session',
      aliases: ['sessions', 'begun'],
      meaning:
        'One start or resume of a campaign. The column session names the campaign and the session’s number, begun says when it started, sessions counts those with a valid trial of the item.',
      isNot: 'a day: two sessions may be minutes apart.',
      rule: null,
      source: 'docs/compare.md',
      related: ['share', 'within', 'between', 'confounded with session'],
    },
    {
      name: 'baseline',
      aliases: ['baseline key'],
      meaning:
        'A short hash of protocol, backend, models and device. Only results with the same one may be pooled.',
      isNot: 'a number to beat.',
      rule: null,
      source: 'docs/protocol-v1.md',
      related: ['protocol', 'backend', 'campaign'],
    },
    {
      name: 'backend',
      aliases: ['backends'],
      meaning:
        'The build of llama.cpp that is measured: commit, flags and the hash of every library, with the runner linked to it. In llama-bench’s table the column names the kind of device code, such as CPU or CUDA.',
      isNot: 'the device. The same backend can run on many.',
      rule: null,
      source: 'docs/formats.md; docs/import-llama-bench.md',
      related: ['runner', 'libraries of llama.cpp', 'device and driver'],
    },
    {
      name: 'disturbed',
      aliases: ['others at work', 'otherUse', 'other use', 'not visible'],
      meaning:
        'Others were seen at work on the device at the boundary of at least one trial. Not visible means that the system does not show it, so that nothing was seen either way.',
      senses: {
        bench: 'DISTURBED, in how many processes.',
        ab: 'DISTURBED, in how many trials of both sides together; every verdict is then in doubt.',
        gate: 'DISTURBED, the same.',
        analyze: 'The column and the line of the trials during which others were seen.',
      },
      isNot: 'a reason to remove trials: all stay. And not seen is no proof of a quiet machine.',
      rule: 'GPU: more than 128 MiB in use while none of rooflaw’s processes runs. CPU: others took at least 5 ticks of 10 ms and 3 % of all CPUs’ time',
      source: 'docs/analysis.md; src/device/other-use.ts',
      related: ['environment', 'trial'],
    },
    {
      name: 'missing',
      aliases: ['–', 'null', 'absent', 'not evaluable', 'not given'],
      meaning:
        'A quantity that cannot be given is – on screen and null in JSON, with the reason below the table or under missing.',
      isNot: 'zero.',
      rule: null,
      source: 'docs/analysis.md',
      related: ['n'],
    },
  ],
};

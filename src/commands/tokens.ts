import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { analyzeSteps } from '../analysis/steps.ts';
import { createStepCollector } from '../analysis/steps-collect.ts';
import { locateCampaign } from '../campaign/locate.io.ts';
import { countUsableCores } from '../device/physical-cores.io.ts';
import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import type { TokenAnalysis } from '../formats/token-analysis.ts';
import { readLedger } from '../ledger/read.io.ts';
import {
  type BenchRequest,
  type BenchTest,
  type OptionReader,
  parseBenchOptions,
} from '../llama-bench/options/parse.ts';
import { formatJson } from '../printable.ts';
import { createBenchPlan } from '../protocol/create-bench-plan.ts';
import { createBenchProtocol } from '../protocol/create-bench-protocol.ts';
import { findPlanFaults } from '../protocol/plan-faults.ts';
import { planTrials } from '../protocol/schedule.ts';
import { seedOf } from '../protocol/schedule-seed.ts';
import { hashShippedProtocols } from '../protocol/shipped.io.ts';
import { formatTokens } from '../report/format-tokens.ts';
import { formatWhole } from '../units.ts';
import { describeModel, nameBench } from './bench-words.ts';
import { refuseForeignCampaign } from './campaign-name.ts';
import { createFirstNumber } from './first-number.ts';
import type { OnObserved } from './measure.ts';
import { describeOutput } from './output-terminal.ts';
import { type PreparedBench, prepareBench } from './prepare-bench.ts';
import { createProgress, type Progress } from './progress.ts';
import { concludeRun, runPlan } from './run.ts';
import { listenForStop } from './stop-signal.ts';
import { sayTimeLeft } from './tokens-time.ts';

/** Where nothing is said. A long enough prompt to see its time, and steps enough for a p99. */
const usualPrompt = '512';
const usualCounts = { processes: 10, warmup: 1, kept: 3 };
/** A process that hangs is ended after this. */
const trialTimeLimitSeconds = 3600;
/** A process may print 16 MiB; 11 digits and a comma for each step are 12 MB. */
const mostStepsOfProcess = 1_000_000;

/** Protocols of this command; their times are not to be pooled with those of other protocols. */
const protocols = {
  tokens: 'Every decode step is timed; fresh processes for every item.',
  'tokens-restored':
    'As tokens; before a repetition the cache is restored, not computed again, so there is no time to the first token.',
} as const;
type TokensProtocol = keyof typeof protocols;
/** What `--protocol` may be. */
export const tokensProtocols = Object.keys(protocols);

/** For messages about its command line. */
const tokensReader: OptionReader = { verb: 'tokens', ownOptions: [], instead: {} };

export function registerTokens(program: Command): void {
  const registered = program
    .command('tokens')
    .description('Time every decode step: percentiles, slow steps and the time to the first token.')
    .usage('-m FILE.gguf [options], or CAMPAIGN [--json]')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[options...]')
    .action(async (_words: readonly string[], _options: unknown, command: Command) => {
      // as it was typed: single dashes before words are llama-bench's way
      const typed = process.argv.slice(2);
      const words = typed.slice(typed.indexOf(command.name()) + 1);
      const [first, ...others] = words.filter((word) => word !== '--json');
      if (words.some((word) => word === '-h' || word === '--help')) {
        process.stdout.write(help);
      } else if (first !== undefined && !first.startsWith('-')) {
        refuseOptions(others);
        const { ledger } = locateCampaign(first);
        printTokens(await loadTokens(ledger), words.includes('--json'));
      } else {
        await measureTokens(parseTokensOptions(words, countUsableCores()));
      }
    });
  // for `rooflaw help tokens`: commander knows none of the options
  registered.helpInformation = () => help;
}

/** A campaign that was measured is read as it is. @throws RooflawError `invalid-input` */
function refuseOptions(words: readonly string[]): void {
  const faults = words.map((word) => ({
    where: word,
    what: 'is no option for reading a campaign',
    hint: '--json; or -m FILE.gguf in place of the campaign, to measure',
  }));
  throwFaults('options of tokens', faults);
}

/**
 * Reads, checks and analyses a ledger.
 * @throws RooflawError `not-found`, `ledger-broken`, `invalid-input` when steps were not timed
 */
async function loadTokens(ledger: string): Promise<TokenAnalysis> {
  const collector = createStepCollector();
  await readLedger(ledger, collector.take);
  return analyzeSteps(collector.finish(), hashShippedProtocols());
}

function printTokens(analysis: TokenAnalysis, isJson: boolean): void {
  const terminal = describeOutput();
  process.stdout.write(isJson ? formatJson(analysis) : formatTokens(analysis, terminal));
}

interface TokensRequest extends BenchRequest {
  protocol: TokensProtocol;
  counts: { processes: number; warmup: number; kept: number };
}

/**
 * The options of bench, of which only decode is measured: -p means the same as -d.
 * @throws RooflawError `invalid-input` with what is wrong
 */
export function parseTokensOptions(words: readonly string[], threads: number): TokensRequest {
  const asDepth = words.map((word) =>
    word.replace(/^-p$/, '-d').replace(/^--n[-_]prompt(?==|$)/, '--n-depth'),
  );
  const depth = hasTypedDepth(asDepth) ? [] : ['-d', usualPrompt];
  const request = parseDecodes([...asDepth, ...depth, '-p', '0'], threads, !hasTypedDepth(words));
  const { ours, output } = request;
  const faults: Fault[] = [];
  const protocol = ours.protocol ?? 'tokens';
  if (!isTokensProtocol(protocol)) {
    const hint = `one of ${tokensProtocols.join(', ')}`;
    faults.push({ where: '--protocol', what: `tokens has no "${protocol}"`, hint });
  }
  if (ours.budgetNs !== null) {
    const hint = '--processes, --warmup and --kept say how much is measured';
    faults.push({ where: '--budget', what: 'belongs to bench; here nothing is chosen', hint });
  }
  if (output !== 'md' && output !== 'json') {
    const hint = '--json, or nothing for a table';
    faults.push({ where: '-o', what: `${output} has no form for single steps`, hint });
  }
  const counts = {
    processes: ours.processes ?? usualCounts.processes,
    warmup: ours.warmup ?? usualCounts.warmup,
    kept: ours.kept ?? request.repetitions ?? usualCounts.kept,
  };
  const steps = Math.max(...request.tests.map(({ tokens }) => tokens));
  const ofProcess = steps * (counts.warmup + counts.kept);
  if (ofProcess > mostStepsOfProcess) {
    faults.push({
      where: '-n',
      what: `makes ${formatWhole(ofProcess)} steps in a process; at most ${formatWhole(mostStepsOfProcess)} are timed`,
      hint: 'fewer with --kept, and more --processes: these are the samples',
    });
  }
  throwFaults('options of tokens', faults);
  return { ...request, protocol: protocol as TokensProtocol, counts };
}

const hasTypedDepth = (words: readonly string[]) =>
  words.some((word) => /^(-d|--n[-_]depth(=.*)?)$/.test(word));

/**
 * @param isPrompt the depth was typed as -p
 * @throws RooflawError `invalid-input` in words of this command
 */
function parseDecodes(words: readonly string[], threads: number, isPrompt: boolean): BenchRequest {
  try {
    return parseBenchOptions(words, { threads, fileExists: existsSync }, tokensReader);
  } catch (error) {
    if (!(error instanceof RooflawError)) throw error;
    throwFaults(
      'options of tokens',
      error.faults.map((fault) => {
        if (fault.where === '-p and -n')
          return { where: '-n', what: 'leaves nothing to measure', hint: '-n 128' };
        if (fault.where !== '-d' || !isPrompt) return fault;
        return { ...fault, where: '-p', what: fault.what.replace('-d N', '-p N') };
      }),
    );
    throw error;
  }
}

const isTokensProtocol = (name: string): name is TokensProtocol => Object.hasOwn(protocols, name);

async function measureTokens(request: TokensRequest): Promise<void> {
  const progress = createProgress();
  for (const note of request.notes) progress.say(note);
  const prepared = await prepare(request, progress);
  for (const model of prepared.models) progress.say(describeModel(model));
  const named = prepared.models.map(({ model }) => model);
  const name = request.ours.name ?? nameBench(named, new Date());
  const plan = makePlan(request, prepared, name);
  await refuseForeignCampaign({ plan, fixed: request.counts, pilot: null });
  const { warmup, kept } = plan.protocol.repetitions;
  const howToGoOn = `the same command${request.ours.name === null ? ` with --name ${name}` : ''}`;
  progress.say(
    `${planTrials(plan).length} processes of ${warmup} warm-up and ${kept} kept repetitions, every decode step timed; how long that takes is known after the first`,
  );
  const look = createFirstNumber(progress)(plan);
  const sayTime = sayTimeLeft(plan, `${howToGoOn} goes on`, progress);
  const onObserved: OnObserved = (item, entry) => {
    look.onObserved?.(item, entry);
    sayTime(item, entry);
  };
  const options = { ...prepared.runOptions, name, ...look, onObserved };
  const result = await runPlan(plan, options, progress);
  if (!result.stopped || result.state.ended)
    printTokens(await loadTokens(result.folder.ledger), request.output === 'json');
  concludeRun(result, progress, `to go on: ${howToGoOn}`);
}

/** Looks at everything that is named; Ctrl-C ends it. */
async function prepare(
  { tests, ours, variants, base, models }: TokensRequest,
  progress: Progress,
): Promise<PreparedBench> {
  using stop = listenForStop('stopping', progress);
  const subjects = { models, backends: ours.backends, base, variants, tests, device: ours.device };
  return await prepareBench(subjects, progress, stop.signal);
}

function makePlan(request: TokensRequest, prepared: PreparedBench, name: string): Plan {
  const { tests, counts, protocol: protocolName } = request;
  const protocol = createBenchProtocol({
    name: protocolName,
    description: protocols[protocolName],
    execution: prepared.execution,
    phases: ['decode'],
    decodeSteps: stepsOfFirst(tests),
    ...counts,
    cachePreparation: protocolName === 'tokens-restored' ? 'restore' : 'compute',
    timesSteps: true,
    trialTimeLimitSeconds,
  });
  const plan = createBenchPlan({
    name,
    question: 'How long does each token of these files take, and the first one?',
    targetDifference: 0.1,
    protocol,
    scheduleSeed: seedOf(name),
    work: { models: prepared.models.map(({ model }) => model), variants: prepared.variants, tests },
  });
  throwFaults('the plan of tokens', findPlanFaults(plan));
  return plan;
}

/** The first test's: items with as many are named without them. */
function stepsOfFirst(tests: readonly BenchTest[]): number {
  const [first] = tests;
  if (first !== undefined) return first.tokens;
  throw new RooflawError('invalid-input', 'there is nothing to measure', { hint: '-n 128' });
}

const help = `Usage: rooflaw tokens -m FILE.gguf [-d N] [-n N] [options]
       rooflaw tokens CAMPAIGN [--json]

Time every decode step of GGUF files: percentiles of the time between tokens, slow steps, growth with
position, and the time to the first token with and without loading the model. Under a protocol of its
own: each step is read off the clock, which is not what \`rooflaw bench\` measures.

  -m, --model FILE,…       the models to measure, as GGUF files
  -d, -p N,…               tokens of the prompt, in the cache before the first step (${usualPrompt}); 0: none
  -n, --n-gen N,…          decode steps (128)
  --processes N            fresh processes for each item (${usualCounts.processes}); an interval needs 6
  --warmup N               repetitions before the kept ones in each process (${usualCounts.warmup})
  --kept N                 repetitions in each process that count (${usualCounts.kept})
  --protocol NAME          tokens, or tokens-restored: the cache is restored, so no time to the first token
  --name NAME              the campaign's name
  --json                   the whole analysis as JSON (docs/tokens.md)

Threads, batches, devices, backends and all other settings are those of \`rooflaw bench --help\`; lists and
ranges make variants, which are measured in the same randomised rounds. --budget is not for this command.

Example:
  $ rooflaw tokens -m model.gguf -d 512 -n 256
  $ rooflaw tokens -m model.gguf -d 512,4096 -n 1000 --name stutter
  $ rooflaw tokens stutter --json | jq '.items[].p99'

Exit status: 0 measured or read, 2 invalid options or file, or a campaign that did not time its steps,
3 measured but some trials failed, 4 the machine lacks something, 5 a file or ledger is not as it was,
6 device in use, 130 stopped
`;

import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { countUsableCores } from '../device/physical-cores.io.ts';
import { exitStatus, RooflawError, throwFaults } from '../errors.ts';
import type { Analysis } from '../formats/analysis.ts';
import { formatItem, type Phase, phaseSchema } from '../formats/architecture.ts';
import type { Plan } from '../formats/plan.ts';
import {
  type BenchOutput,
  type BenchRequest,
  parseBenchOptions,
} from '../llama-bench/options/parse.ts';
import {
  type BudgetChoice,
  type BudgetRequest,
  chooseForBudget,
  describeCost,
  fewerLoads,
  type PilotItem,
} from '../protocol/budget.ts';
import { createBenchPlan } from '../protocol/create-bench-plan.ts';
import { createBenchProtocol } from '../protocol/create-bench-protocol.ts';
import { findPlanFaults } from '../protocol/plan-faults.ts';
import { listItems, planTrials } from '../protocol/schedule.ts';
import { seedOf } from '../protocol/schedule-seed.ts';
import { formatHeatMap } from '../report/format-heat-map.ts';
import { fewestVariantsOfHeatMap } from '../report/heat-map.ts';
import { formatDuration } from '../units.ts';
import { writeBenchResult } from './bench-output.ts';
import { readPilot } from './bench-pilot.ts';
import {
  createFirstLook,
  describeBench,
  describeModel,
  describeResume,
  longestName,
  nameBench,
  sayFirst,
} from './bench-words.ts';
import { loadRecord } from './load-record.ts';
import { type BenchSubjects, type PreparedBench, prepareBench } from './prepare-bench.ts';
import { createProgress, type Progress } from './progress.ts';
import { concludeRun, runPlan } from './run.ts';
import { listenForStop } from './stop-signal.ts';

/** Where nothing is said: long enough for an interval, short enough to wait for. */
const usualBudgetNs = 300e9;
/** Where nothing is said; v1 has as many. */
const usualProcesses = 10;
/** Fewest for an interval of the median at 95 % (6 samples: 96.9 %). */
const fewestProcesses = 6;
const mostProcesses = 1000;
const mostRepetitions = 1000;
/** Of the pilot: enough to see a warm-up, and a first look at how processes differ. */
const pilotCounts = { processes: 2, kept: 10 };
/** Real campaigns took up to 3 % longer than their pilots said. */
const shareOfBudget = 0.95;
/** Longer than this is not begun without being asked. */
const longNs = 900e9;
/** A process that hangs is ended after this. */
const trialTimeLimitSeconds = 3600;

/** Protocols of bench by their names. */
const protocolNames = ['bench', 'few-loads', 'bench-restored', 'few-loads-restored'] as const;
type BenchProtocolName = (typeof protocolNames)[number];

export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('Measure GGUF files as llama-bench does, in fresh processes, with intervals.')
    .usage('-m FILE.gguf [options of llama-bench] [options of rooflaw]')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[options...]')
    .action(async (_words: readonly string[], _options: unknown, command: Command) => {
      const words = wordsOf(command);
      if (words.some((word) => word === '-h' || word === '--help')) {
        process.stdout.write(describeBench());
        return;
      }
      const request = parseBenchOptions(words, { threads: countUsableCores() });
      const saysFlashAttention = words.some((word) => /^(-fa|--flash-attn)\b/.test(word));
      await runBench(request, saysFlashAttention);
    });
}

/** What stands after the verb, as it was typed: single dashes before words are llama-bench's way. */
function wordsOf(command: Command): string[] {
  const typed = process.argv.slice(2);
  return typed.slice(typed.indexOf(command.name()) + 1);
}

async function runBench(request: BenchRequest, saysFlashAttention: boolean): Promise<void> {
  const progress = createProgress();
  for (const note of request.notes) progress.say(note);
  const { tests, ours, variants, base, models } = request;
  refuseOneProcess(ours.processes);
  const subjects = { models, backends: ours.backends, base, variants, tests, device: ours.device };
  const prepared = await prepareStoppable(subjects, progress);
  for (const model of prepared.models) progress.say(describeModel(model));
  if (!saysFlashAttention) {
    progress.say(
      'flash attention is off, where llama-bench’s default (auto) may use it: -fa 0,1 measures both',
    );
  }
  const named = prepared.models.map(({ model }) => model);
  const name = ours.name ?? nameBench(named, new Date());
  const protocolName = readProtocolName(ours.protocol);
  const fixed = {
    processes: ours.processes,
    warmup: ours.warmup,
    kept: ours.kept ?? request.repetitions,
  };
  const choice = await chooseCounts(request, prepared, name, protocolName, fixed, progress);
  if (choice === null) return;
  const plan = makePlan(request, prepared, name, protocolName, choice);
  const options = { ...prepared.runOptions, name, onObserved: sayFirst(plan, progress) };
  const result = await runPlan(plan, options, progress);
  if (!result.stopped) {
    const analysis = await writeBenchResult(result.folder, request.output);
    sayDoubts(analysis, request.output, progress);
    sayHeatMap(analysis, request.output, progress);
  }
  concludeRun(result, progress, describeResume(name, prepared.runOptions));
}

/** @throws RooflawError `invalid-input` */
function refuseOneProcess(processes: number | null): void {
  if (processes !== 1) return;
  throw new RooflawError(
    'invalid-input',
    '--processes 1: one process says nothing of how processes differ, nor of drift',
    { hint: '--processes 2, or 6 for an interval' },
  );
}

async function prepareStoppable(subjects: BenchSubjects, progress: Progress) {
  using stop = listenForStop('stopping', progress);
  return await prepareBench(subjects, progress, stop.signal);
}

/** Which variant to choose, where there are many: beside the table, or where it can be had. */
function sayHeatMap(analysis: Analysis, output: BenchOutput, progress: Progress): void {
  const count = analysis.identity.variants?.length ?? 0;
  if (count < fewestVariantsOfHeatMap) return;
  const map = formatHeatMap(analysis, { width: process.stdout.columns ?? 120 });
  if (output === 'md') process.stdout.write(`\n${map}`);
  else progress.say(`a heat map of the ${count} variants: rooflaw report ${analysis.name}`);
}

/** What makes a reader doubt the table, and where to read more: part of it, or beside data for programs. */
function sayDoubts(analysis: Analysis, output: BenchOutput, progress: Progress): void {
  const doubts = listDoubts(analysis);
  if (output === 'md') process.stdout.write(doubts.map((doubt) => `${doubt}\n`).join(''));
  else for (const doubt of doubts) progress.say(doubt);
  const [first, second] = analysis.identity.variants ?? [];
  if (first !== undefined && second !== undefined) {
    progress.say(
      `next: rooflaw compare ${analysis.name} variant=${first.name} variant=${second.name}, or rooflaw ab for a decision`,
    );
  }
  progress.say(`${second === undefined ? 'next' : 'and'}: rooflaw analyze ${analysis.name}`);
}

function listDoubts({ otherUse, drift, items }: Analysis): string[] {
  const { seen, notSeen, notVisible } = otherUse;
  const all = seen + notSeen + notVisible;
  const disturbed =
    seen === 0
      ? []
      : [`DISTURBED: others were at work on the device in ${seen} of ${all} processes`];
  const drifted = drift.flatMap((found) => {
    if (found.state === 'not-evaluable' || !found.exceeded) return [];
    const first = items.find((item) => item.isReference && item.phase === found.phase);
    const name = first === undefined ? found.phase : formatItem(first);
    const percent = `${Math.abs(found.change * 100).toFixed(1)} %`;
    const more = found.change > 0 ? 'more' : 'less';
    return [`DRIFT: ${name} took ${percent} ${more} time in the last rounds than in the first`];
  });
  return [...disturbed, ...drifted];
}

interface Counts {
  processes: number;
  warmup: number;
  kept: number;
}

/** From a pilot, where anything is left to choose or to say of how long it takes. @returns null when a person said no */
async function chooseCounts(
  request: BenchRequest,
  prepared: PreparedBench,
  name: string,
  protocolName: BenchProtocolName,
  fixed: { processes: number | null; warmup: number | null; kept: number | null },
  progress: Progress,
): Promise<Counts | null> {
  const { processes, warmup, kept } = fixed;
  if (processes !== null && warmup !== null && kept !== null) {
    const { processes: pilotProcesses, kept: pilotKept } = pilotCounts;
    const isShort = processes * (warmup + kept) <= pilotProcesses * pilotKept;
    if (isShort || request.ours.assumeYes) return { processes, warmup, kept };
  }
  const pilotName = `${name.slice(0, longestName)}-pilot`;
  const counts = { processes: pilotCounts.processes, warmup: 0, kept: pilotCounts.kept };
  const plan = makePlan(request, prepared, pilotName, protocolName, counts);
  const trials = planTrials(plan).length;
  progress.say(
    `pilot: ${counts.processes} processes of ${counts.kept} repetitions for each item, ${trials} in all, kept apart in campaigns/${pilotName}`,
  );
  const options = { ...prepared.runOptions, name: pilotName, ...createFirstLook(plan, progress) };
  const pilot = await runPlan(plan, options, progress);
  if (pilot.stopped) {
    progress.say(
      `stopped in the pilot; to go on: the same command${request.ours.name === null ? ` with --name ${name}` : ''}`,
    );
    process.exitCode = exitStatus.interrupted;
    return null;
  }
  const budgetRequest = {
    items: readPilot(plan, await loadRecord(pilot.folder.ledger)),
    budgetNs: (request.ours.budgetNs ?? usualBudgetNs) * shareOfBudget,
    fixed,
    limits: {
      minProcesses: fewestProcesses,
      maxProcesses: mostProcesses,
      maxRepetitions: mostRepetitions,
    },
  };
  const hasFewLoads = protocolName.startsWith('few-loads');
  const isUsual = request.ours.budgetNs === null && fixed.processes === null && !hasFewLoads;
  const choice = hasFewLoads
    ? fewerLoads(budgetRequest)
    : ((isUsual ? chooseUsual(budgetRequest) : null) ?? chooseWithin(budgetRequest));
  sayChoice(plan, choice, progress);
  const modelBytes = listItems(plan).map(({ model }) => model.fileBytes);
  for (const words of describeCost(choice, budgetRequest.items, modelBytes))
    progress.say(`  ${words}`);
  if (!protocolName.endsWith('restored') && shareOfPreparing(budgetRequest.items) > mostPreparing) {
    progress.say(
      `  most of the time goes into filling the cache before each repetition: --protocol ${protocolName === 'bench' ? 'bench-restored' : 'few-loads-restored'} fills it once in a process and restores it`,
    );
  }
  if (!request.ours.assumeYes && (choice.tooShort !== null || choice.expectedNs > longNs)) {
    const offer = hasFewLoads ? '' : ', or `--protocol few-loads` for fewer loads of the model';
    if (!(await agrees(choice, offer, progress))) return null;
  }
  return choice;
}

/** At least two kept repetitions where they fit: one has no spread, so no stable flag. */
function chooseWithin(request: BudgetRequest): BudgetChoice {
  const choice = chooseForBudget(request);
  if (choice.kept > 1 || request.fixed.kept !== null || choice.tooShort !== null) return choice;
  const two = chooseForBudget({ ...request, fixed: { ...request.fixed, kept: 2 } });
  return two.tooShort === null ? two : choice;
}

/** As many processes as v1 has; null when they do not fit. */
function chooseUsual(request: BudgetRequest): BudgetChoice | null {
  const fixed = { ...request.fixed, processes: usualProcesses };
  const choice = chooseWithin({ ...request, fixed });
  return choice.tooShort === null ? choice : null;
}

/** More than this share of a campaign, and there is a cheaper protocol to offer. */
const mostPreparing = 0.5;

function shareOfPreparing(items: readonly PilotItem[]): number {
  const processes = items.flatMap((item) => item.processes);
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const preparing = total(processes.map(({ prepareNs }) => total(prepareNs)));
  const all = total(
    processes.map(
      ({ overheadNs, wallNs, prepareNs }) => overheadNs + total(wallNs) + total(prepareNs),
    ),
  );
  return all === 0 ? 0 : preparing / all;
}

/** How long it will take, and which intervals that buys. */
function sayChoice(plan: Plan, { items, words }: BudgetChoice, progress: Progress): void {
  const [summary = '', ...reasons] = words;
  progress.say(summary);
  const planned = listItems(plan);
  for (const [index, { relativeHalfWidth }] of items.entries()) {
    const width =
      relativeHalfWidth === null ? 'not known yet' : `±${(relativeHalfWidth * 100).toFixed(2)} %`;
    progress.say(`  ${formatItem(planned[index]!.item)}: interval expected ${width}`);
  }
  for (const reason of reasons) progress.say(`  ${reason}`);
}

/** @throws RooflawError `invalid-input` where nobody can be asked */
async function agrees(choice: BudgetChoice, offer: string, progress: Progress): Promise<boolean> {
  const least = choice.tooShort === null ? '' : 'the budget is too short: ';
  const what = `${least}this takes about ${formatDuration(choice.expectedNs)}`;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new RooflawError('invalid-input', `${what}, and nobody can be asked`, {
      hint: `--yes to go on, or --budget ${Math.ceil(choice.expectedNs / 1e9 / shareOfBudget)}s${offer}`,
    });
  }
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await reader.question(`${what}. Go on? [y/N] `);
  reader.close();
  const isYes = /^y(es)?$/i.test(answer.trim());
  if (!isYes) progress.say(`not begun; --budget for another time${offer}`);
  return isYes;
}

const descriptions: Record<BenchProtocolName, string> = {
  bench: 'Fresh processes for every item, counts from a pilot or from the person who asked.',
  'few-loads':
    'As few fresh processes as an interval needs and more repetitions in each, where loading is most of the cost.',
  'bench-restored': 'As bench; before a repetition the cache is restored, not computed again.',
  'few-loads-restored':
    'As few-loads; before a repetition the cache is restored, not computed again.',
};

function makePlan(
  { tests }: BenchRequest,
  prepared: PreparedBench,
  name: string,
  protocolName: BenchProtocolName,
  counts: Counts,
): Plan {
  const phases = phaseSchema.options.filter((phase: Phase) =>
    tests.some((test) => test.phase === phase),
  );
  const protocol = createBenchProtocol({
    name: protocolName,
    description: descriptions[protocolName],
    execution: prepared.execution,
    phases,
    decodeSteps: tests.find(({ phase }) => phase === 'decode')?.tokens ?? 1,
    ...counts,
    cachePreparation: protocolName.endsWith('restored') ? 'restore' : 'compute',
    trialTimeLimitSeconds,
  });
  const plan = createBenchPlan({
    name,
    question: 'What do these files cost under these options on this machine?',
    targetDifference: 0.1,
    protocol,
    scheduleSeed: seedOf(name),
    work: { models: prepared.models.map(({ model }) => model), variants: prepared.variants, tests },
  });
  throwFaults('the plan of bench', findPlanFaults(plan));
  return plan;
}

function readProtocolName(text: string | null): BenchProtocolName {
  if (text === null) return 'bench';
  const known = protocolNames.find((name) => name === text);
  if (known !== undefined) return known;
  throw new RooflawError('invalid-input', `bench has no protocol "${text}"`, {
    hint: `one of ${protocolNames.join(', ')}; other protocols measure spaces: \`rooflaw plan\``,
  });
}

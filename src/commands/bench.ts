import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { countUsableCores } from '../device/physical-cores.io.ts';
import { exitStatus, RooflawError } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import { describeIdleLayers } from '../llama-bench/options/idle-layers.ts';
import { type BenchRequest, parseBenchOptions } from '../llama-bench/options/parse.ts';
import { countCells, describeCells } from '../protocol/budget-cells.ts';
import { listItems } from '../protocol/schedule.ts';
import { fewestVariantsOfHeatMap } from '../report/heat-map.ts';
import { formatCount } from '../units.ts';
import { asksForHelp, wordsAfter } from './ab-words.ts';
import { sayClosing } from './bench-closing.ts';
import { chooseBenchCounts } from './bench-counts.ts';
import { listFailedItems } from './bench-failures.ts';
import {
  describeLeftOut,
  leaveOutFailed,
  planFirstTrials,
  runFirstTrials,
  sayNothingWorks,
} from './bench-first-trials.ts';
import { writeBenchResult } from './bench-output.ts';
import { readPilot } from './bench-pilot.ts';
import { type BenchCounts, makeBenchPlan, readProtocolName } from './bench-plan.ts';
import { describeBench, describeModel, nameBench } from './bench-words.ts';
import { type FixedCounts, refuseForeignCampaign } from './campaign-name.ts';
import { concludeRun } from './conclude-run.ts';
import { createFirstNumber, type FirstNumber } from './first-number.ts';
import { loadRecord } from './load-record.ts';
import { type BenchSubjects, type PreparedBench, prepareBench } from './prepare-bench.ts';
import { createProgress, type Progress } from './progress.ts';
import { runPlan } from './run-plan.ts';
import { listenForStop } from './stop-signal.ts';

export function registerBench(program: Command): void {
  const registered = program
    .command('bench')
    .description('Measure GGUF files as llama-bench does, in fresh processes, with intervals.')
    .usage('-m FILE.gguf [options of llama-bench] [options of rooflaw]')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[options...]')
    .action(async (_words: readonly string[], _options: unknown, command: Command) => {
      const words = wordsAfter(command);
      if (asksForHelp(words)) {
        process.stdout.write(describeBench());
        return;
      }
      const request = parseBenchOptions(words, {
        threads: countUsableCores(),
        fileExists: existsSync,
      });
      const saysFlashAttention = words.some((word) => /^(-fa|--flash-attn)\b/.test(word));
      await runBench(request, saysFlashAttention);
    });
  // for `rooflaw help bench`: commander knows none of the options
  registered.helpInformation = () => describeBench();
}

async function runBench(request: BenchRequest, saysFlashAttention: boolean): Promise<void> {
  const progress = createProgress();
  for (const note of request.notes) progress.say(note);
  const { tests, ours, variants, base, models } = request;
  refuseOneProcess(ours.processes);
  const protocolName = readProtocolName(ours.protocol);
  const subjects = { models, backends: ours.backends, base, variants, tests, device: ours.device };
  const prepared = await prepareStoppable(subjects, progress);
  if (prepared.device.type === 'cpu') {
    for (const note of describeIdleLayers(variants, base)) progress.say(note);
  }
  for (const model of prepared.models) progress.say(describeModel(model));
  if (!saysFlashAttention) {
    progress.say(
      'flash attention is off, where llama-bench’s default (auto) may use it: -fa 0,1 measures both',
    );
  }
  const named = prepared.models.map(({ model }) => model);
  const name = ours.name ?? nameBench(named, new Date());
  const { fixed, planWith, first } = describeWork(request, prepared, name, protocolName);
  await refuseForeignCampaign({ plan: planWith(fixed), fixed, pilot: first?.plan ?? null });

  const firstNumber = createFirstNumber(progress);
  const { assumeYes, budgetNs } = ours;
  let plan = planWith(fixed);
  const leftOut: string[] = [];
  const again = `the same command${ours.name === null ? ` with --name ${name}` : ''}`;
  if (first !== null) {
    const found = await runFirstTrials(
      first,
      prepared,
      { howToGoOn: again, output: request.output, firstNumber },
      progress,
    );
    if (found === null) return;
    const { failed, record } = found;
    plan = leaveOutFailed(plan, failed, first.kind);
    leftOut.push(...describeLeftOut(failed, first.kind));
    for (const line of leftOut) progress.say(line);
    if (leftOut.length > 0) {
      const rest = formatCount(listItems(plan).length, 'other item');
      progress.say(`what is left, ${rest}, is measured as asked; the exit status will be 3`);
    }
    if (first.kind === 'pilot') {
      const items = readPilot(plan, record);
      const modelBytes = listItems(plan).map(({ model }) => model.fileBytes);
      const cells = countCells(plan);
      const asked = { items, modelBytes, fixed, budgetNs, protocolName, assumeYes, cells, again };
      const counts = await chooseBenchCounts(asked, progress);
      if (counts === null) return;
      plan = leaveOutFailed(planWith(counts), failed, first.kind);
      await refuseForeignCampaign({ plan, fixed: counts, pilot: first.plan });
    }
  }
  if (first?.kind !== 'pilot') sayCells(plan, progress);
  await measureBench(plan, request, prepared, { leftOut, again, firstNumber }, progress);
}

/** Where no pilot chose the counts: whether they are enough for a heat map. */
function sayCells(plan: Plan, progress: Progress): void {
  const cells = countCells(plan);
  if (cells < fewestVariantsOfHeatMap) return;
  progress.say(describeCells(cells, plan.protocol.processesPerItem, null));
}

/** What is asked for, in plans: counts that are not fixed are still open. */
function describeWork(
  { tests, ours, repetitions }: BenchRequest,
  prepared: PreparedBench,
  name: string,
  protocolName: ReturnType<typeof readProtocolName>,
) {
  const { processes, warmup, assumeYes } = ours;
  const fixed: FixedCounts = { processes, warmup, kept: ours.kept ?? repetitions };
  const work = { name, protocolName, prepared, tests };
  const planWith = ({ processes, warmup, kept }: FixedCounts): Plan => {
    const counts: BenchCounts = {
      processes: processes ?? 2,
      warmup: warmup ?? 0,
      kept: kept ?? 1,
    };
    return makeBenchPlan({ ...work, counts });
  };
  return { fixed, planWith, first: planFirstTrials({ ...work, fixed, assumeYes }) };
}

/** The campaign itself, its table, and what there is to say of it. */
async function measureBench(
  plan: Plan,
  { output }: BenchRequest,
  prepared: PreparedBench,
  {
    leftOut,
    again,
    firstNumber,
  }: { leftOut: readonly string[]; again: string; firstNumber: FirstNumber },
  progress: Progress,
): Promise<void> {
  const { name } = plan;
  const options = { ...prepared.runOptions, name, notes: leftOut, endsWhenNothingWorks: true };
  const result = await runPlan(plan, { ...options, ...firstNumber(plan) }, progress);
  if (!result.stopped && result.state.observed === 0) {
    const failed = listFailedItems(plan, await loadRecord(result.folder.ledger));
    sayNothingWorks(plan, failed, output, progress);
    return;
  }
  if (!result.stopped) {
    const typedPaths = new Map(prepared.models.map(({ model, path }) => [model.sha256, path]));
    const analysis = await writeBenchResult(result.folder, output, typedPaths);
    sayClosing(analysis, plan, leftOut, output, progress);
    if (leftOut.length > 0) process.exitCode = exitStatus.trialsFailed;
  }
  concludeRun(result, progress, `to go on: ${again}`);
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

import type { Command } from 'commander';
import { type Fault, throwFaults } from '../errors.ts';
import type { Stopping } from '../formats/protocol.ts';
import { expectRoundNs } from '../protocol/budget-counts.ts';
import { findFirstRound } from '../protocol/stopping-faults.ts';
import { formatAb } from '../report/format-ab.ts';
import { formatDuration } from '../units.ts';
import { parseShare, takeOptions } from './ab-arguments.ts';
import { chooseRepetitions, runSidesPilot } from './ab-pilot.ts';
import { type Counts, createSidesPlan, type PlannedSide } from './ab-plan.ts';
import { type PreparedSides, prepareSides } from './ab-prepare.ts';
import { readSides, type SidesRequest } from './ab-request.ts';
import { assembleAb } from './ab-result.ts';
import { abOptions, asksForHelp, helpOfAb, nameSidesCampaign, wordsAfter } from './ab-words.ts';
import { describeResume, sayFirst } from './bench-words.ts';
import { loadAnalysis } from './load-analysis.ts';
import { createProgress, type Progress } from './progress.ts';
import { concludeRun, runPlan } from './run.ts';
import { listenForStop } from './stop-signal.ts';

/** A difference below it is rarely worth a claim; without it equal sides run to the maximum. */
const usualEquivalence = 0.01;
const usualAlpha = 0.05;
const usualMaxRounds = 30;
/** As many as a stopping rule is offered for. */
const mostRounds = 1000;

export interface AbRequest extends SidesRequest {
  stopping: Stopping;
  maxRounds: number;
}

export function registerAb(program: Command): void {
  program
    .command('ab')
    .description(
      'Say whether one of two builds, option sets or files is faster, and stop when it is decided.',
    )
    .usage('-m FILE.gguf --a OPTIONS --b OPTIONS [options of bench]')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[options...]')
    .action(async (_words: readonly string[], _options: unknown, command: Command) => {
      const words = wordsAfter(command);
      if (asksForHelp(words)) process.stdout.write(helpOfAb);
      else await runAb(readAbRequest(words));
    });
}

/** @throws RooflawError `invalid-input` with every fault of the command line */
export function readAbRequest(words: readonly string[]): AbRequest {
  const faults: Fault[] = [];
  const names = abOptions.map(({ name }) => name);
  const { values, rest } = takeOptions(words, names, faults);
  const shareOf = (name: string, usual: number): number => {
    const text = values.get(name);
    if (text === undefined) return usual;
    const value = parseShare(text);
    if (value === null)
      faults.push({ where: name, what: `"${text}" is no share below 1`, hint: '1% or 0.01' });
    return value ?? usual;
  };
  const margin = shareOf('--margin', 0);
  const equivalence = shareOf('--equivalence', usualEquivalence);
  const alpha = shareOf('--alpha', usualAlpha);
  if (alpha === 0 || alpha > 0.5)
    faults.push({ where: '--alpha', what: 'must be above 0 and at most 0.5' });
  const roundsText = values.get('--max-rounds') ?? `${usualMaxRounds}`;
  const maxRounds = Number(roundsText);
  if (!/^\d{1,4}$/.test(roundsText) || maxRounds < 1 || maxRounds > mostRounds) {
    faults.push({
      where: '--max-rounds',
      what: `"${roundsText}" must be a whole number from 1 to ${mostRounds}`,
    });
  }
  const [a, b] = [values.get('--a'), values.get('--b')];
  if ((a === undefined) !== (b === undefined)) {
    const lacking = a === undefined ? '--a' : '--b';
    faults.push({
      where: lacking,
      what: 'is missing; both sides are named',
      hint: `${lacking} "" for no further options`,
    });
  }
  const isEither = a !== undefined || b !== undefined;
  const sides = readSides(
    'ab',
    rest,
    { backends: null, options: isEither ? [a ?? '', b ?? ''] : null },
    faults,
  );
  const stopping: Stopping = {
    method: 'S2',
    alpha,
    margin,
    equivalence: equivalence === 0 ? null : equivalence,
    correction: 'bonferroni',
    comparisons: 'declared',
  };
  // one comparison a test
  const needed = findFirstRound('S2', alpha / sides.shared.tests.length);
  if (needed > maxRounds) {
    throwFaults('options of ab', [
      {
        where: '--max-rounds',
        what: `${maxRounds} rounds can decide nothing with ${sides.shared.tests.length} tests that share ${alpha}`,
        hint: `at least ${needed}, fewer tests, or a larger --alpha`,
      },
    ]);
  }
  return { ...sides, stopping, maxRounds };
}

async function runAb(request: AbRequest): Promise<void> {
  const progress = createProgress();
  for (const note of request.notes) progress.say(note);
  using stop = listenForStop('stopping', progress);
  const prepared = await prepareSides(request, progress, stop.signal);
  const { shared } = request;
  const name = shared.ours.name ?? nameSidesCampaign('ab', prepared.a.model, new Date());
  const counts = await chooseCounts(request, prepared, name, progress);
  if (counts === null) return;
  const { tests } = shared;
  const plan = createSidesPlan({
    name,
    question: 'Is b slower or faster than a?',
    targetDifference: request.stopping.equivalence ?? 0.1,
    protocolName: 'ab',
    description: 'Two sides in the same randomised rounds, until every test is decided.',
    sides: listSides(prepared),
    tests,
    counts,
    cachePreparation: preparationOf(request),
    rule: { stopping: request.stopping, pairs: [{ a: 0, b: 1 }] },
  });
  const options = { ...prepared.runOptions, name, onObserved: sayFirst(plan, progress) };
  const result = await runPlan(plan, options, progress);
  if (!result.stopped) {
    const { record, analysis } = await loadAnalysis(result.folder.folder);
    const labels = { a: request.a.label, b: request.b.label };
    const ab = assembleAb(record, analysis, tests, labels);
    const { isTTY, columns } = process.stdout;
    process.stdout.write(
      shared.output === 'json'
        ? `${JSON.stringify(ab, null, 2)}\n`
        : formatAb(ab, { colour: isTTY === true, width: columns ?? 120 }),
    );
  }
  concludeRun(result, progress, describeResume(name, prepared.runOptions));
}

/** From a pilot where anything is left to choose. @returns null when it was stopped */
async function chooseCounts(
  request: AbRequest,
  prepared: PreparedSides,
  name: string,
  progress: Progress,
): Promise<Counts | null> {
  const { ours, repetitions, tests } = request.shared;
  const processes = request.maxRounds;
  const fixed = { warmup: ours.warmup, kept: ours.kept ?? repetitions };
  if (fixed.warmup !== null && fixed.kept !== null) {
    return { processes, warmup: fixed.warmup, kept: fixed.kept };
  }
  const pilot = await runSidesPilot(
    {
      name,
      sides: listSides(prepared),
      tests,
      cachePreparation: preparationOf(request),
      runOptions: prepared.runOptions,
    },
    progress,
  );
  if (pilot === null) return null;
  const pilots = pilot.pilots.flat();
  const chosen = chooseRepetitions(pilots, fixed);
  const roundNs = expectRoundNs(pilots, chosen.warmup + chosen.kept);
  progress.say(
    `${chosen.warmup} warm-up and ${chosen.kept} kept repetitions in each process: a round takes about ${formatDuration(roundNs)}, at most ${processes} of them ${formatDuration(processes * roundNs)}`,
  );
  return { processes, ...chosen };
}

function listSides({ a, b }: PreparedSides): PlannedSide[] {
  return [
    { variant: 'a', ...a },
    { variant: 'b', ...b },
  ];
}

export function preparationOf({ shared }: SidesRequest): 'compute' | 'restore' {
  return shared.ours.protocol === 'bench-restored' ? 'restore' : 'compute';
}

import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { usualMargin } from '../analysis/usual-margin.ts';
import { folderOfCampaign } from '../campaign/locate.io.ts';
import { exitStatus, type Fault, throwFaults } from '../errors.ts';
import type { Plan } from '../formats/plan.ts';
import type { Stopping } from '../formats/protocol.ts';
import { formatJson } from '../printable.ts';
import { expectRoundNs } from '../protocol/budget-counts.ts';
import { planTrials } from '../protocol/schedule.ts';
import { findFirstRound } from '../protocol/stopping-faults.ts';
import { formatAb } from '../report/format-ab.ts';
import { formatCount, formatDuration } from '../units.ts';
import { parseShare, readPair, takeOptions } from './ab-arguments.ts';
import { agreesToTime } from './ab-consent.ts';
import {
  chooseRepetitions,
  isShortAsPilot,
  planSidesPilot,
  refuseForeignPilot,
  runSidesPilot,
  type SidesWork,
} from './ab-pilot.ts';
import { type Counts, createSidesPlan, type PlannedSide } from './ab-plan.ts';
import { type PreparedSides, prepareSides } from './ab-prepare.ts';
import { readSides, refuseUnquotedSides, type SidesRequest } from './ab-request.ts';
import { assembleAb } from './ab-result.ts';
import { abReader, asksForHelp, helpOfAb, nameSidesCampaign, wordsAfter } from './ab-words.ts';
import { refuseForeignCampaign } from './campaign-name.ts';
import { createFirstNumber, type FirstNumber } from './first-number.ts';
import { loadAnalysis } from './load-analysis.ts';
import { describeOutput } from './output-terminal.ts';
import { createProgress, type Progress } from './progress.ts';
import { concludeRun, runPlan } from './run.ts';
import { listenForStop } from './stop-signal.ts';

/** A difference below it is rarely worth a claim; without it equal sides run to the maximum. */
const usualEquivalence = 0.01;
const usualAlpha = 0.05;
const mostAlpha = 0.5;
const usualMaxRounds = 30;
/** As many as a stopping rule is offered for. */
const mostRounds = 1000;

export interface AbRequest extends SidesRequest {
  stopping: Stopping;
  maxRounds: number;
}

export function registerAb(program: Command): void {
  const registered = program
    .command('ab')
    .description(
      'Say whether one of two builds, option sets or files is faster, and stop when it is decided.',
    )
    .usage('-m FILE.gguf --a OPTIONS --b OPTIONS [options]')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[options...]')
    .action(async (_words: readonly string[], _options: unknown, command: Command) => {
      const words = wordsAfter(command);
      if (asksForHelp(words)) process.stdout.write(helpOfAb);
      else await runAb(readAbRequest(words));
    });
  // for `rooflaw help ab`: commander knows none of the options
  registered.helpInformation = () => helpOfAb;
}

/** @throws RooflawError `invalid-input` with every fault of the command line */
export function readAbRequest(words: readonly string[]): AbRequest {
  const faults: Fault[] = [];
  refuseUnquotedSides('ab', words);
  const taken = takeOptions(words, abReader.ownOptions, faults);
  const { values } = taken;
  const shareOf = (name: string, usual: number): number => {
    const text = values.get(name);
    if (text === undefined) return usual;
    const value = parseShare(text);
    if (value === null)
      faults.push({ where: name, what: `"${text}" is no share below 1`, hint: '1% or 0.01' });
    return value ?? usual;
  };
  const margin = shareOf('--margin', usualMargin);
  const equivalence = shareOf('--equivalence', usualEquivalence);
  const alphaText = values.get('--alpha');
  const alpha = alphaText === undefined ? usualAlpha : (parseShare(alphaText) ?? 0);
  if (alpha === 0 || alpha > mostAlpha) {
    const what = `"${alphaText}" must be a share above 0 and at most ${mostAlpha}`;
    faults.push({ where: '--alpha', what, hint: '0.05 or 5%' });
  }
  const roundsText = values.get('--max-rounds') ?? `${usualMaxRounds}`;
  const maxRounds = Number(roundsText);
  if (!/^\d{1,4}$/.test(roundsText) || maxRounds < 1 || maxRounds > mostRounds) {
    faults.push({
      where: '--max-rounds',
      what: `"${roundsText}" must be a whole number from 1 to ${mostRounds}`,
    });
  }
  const options = readPair(taken, ['--a', '--b'], faults);
  const sides = readSides(abReader, taken.rest, { backends: null, options }, faults);
  const stopping: Stopping = {
    method: 'S2',
    alpha,
    margin,
    equivalence: equivalence === 0 ? null : equivalence,
    correction: 'bonferroni',
    comparisons: 'declared',
    measured: 'open',
  };
  // one comparison a test
  const needed = findFirstRound('S2', alpha / sides.shared.tests.length);
  if (needed > maxRounds) {
    throwFaults('options of ab', [
      {
        where: '--max-rounds',
        what: `${maxRounds} rounds can decide nothing with ${formatCount(sides.shared.tests.length, 'test')} and an alpha of ${alpha}`,
        hint: `at least ${needed}, fewer tests, or a larger --alpha`,
      },
    ]);
  }
  return { ...sides, stopping, maxRounds };
}

async function runAb(request: AbRequest): Promise<void> {
  const progress = createProgress();
  for (const note of request.notes) progress.say(note);
  const prepared = await prepareStoppable(request, progress);
  const { tests, ours, output } = request.shared;
  const name = ours.name ?? nameSidesCampaign('ab', prepared.a.model, new Date());
  const work: SidesWork = {
    name,
    sides: listSides(prepared),
    tests,
    cachePreparation: preparationOf(request),
  };
  const firstNumber = createFirstNumber(progress);
  const counts = await chooseCounts(request, work, prepared.runOptions, firstNumber, progress);
  if (counts === null) return;
  const plan = planAb(request, work, counts);
  const options = { ...prepared.runOptions, name, ...firstNumber(plan) };
  const result = await runPlan(plan, options, progress);
  if (!result.stopped || result.state.ended) {
    const { record, analysis } = await loadAnalysis(result.folder.folder);
    const labels = { a: request.a.label, b: request.b.label };
    const ab = assembleAb(record, analysis, tests, labels);
    process.stdout.write(output === 'json' ? formatJson(ab) : formatAb(ab, describeOutput()));
  }
  const named = ours.name === null ? ` with --name ${name}` : '';
  concludeRun(result, progress, `to go on: the same command${named}`);
}

async function prepareStoppable(request: AbRequest, progress: Progress): Promise<PreparedSides> {
  using stop = listenForStop('stopping', progress);
  return await prepareSides(request, progress, stop.signal);
}

function planAb({ stopping }: AbRequest, work: SidesWork, counts: Counts): Plan {
  return createSidesPlan({
    ...work,
    question: 'Is b slower or faster than a?',
    targetDifference: stopping.equivalence ?? 0.1,
    protocolName: 'ab',
    description: 'Two sides in the same randomised rounds, until every test is decided.',
    counts,
    rule: { stopping, pairs: [{ a: 0, b: 1 }] },
  });
}

/**
 * From a pilot, where anything is left to choose or to say of how long it takes.
 * @returns null when it was stopped, a side cannot run, or a person said no
 */
async function chooseCounts(
  request: AbRequest,
  work: SidesWork,
  runOptions: PreparedSides['runOptions'],
  firstNumber: FirstNumber,
  progress: Progress,
): Promise<Counts | null> {
  const { ours, repetitions, tests } = request.shared;
  const { maxRounds } = request;
  const { warmup, kept } = { warmup: ours.warmup, kept: ours.kept ?? repetitions };
  const fixed = { processes: maxRounds, warmup, kept };
  const pilotPlan = planSidesPilot(work);
  const isFixed = warmup !== null && kept !== null;
  const intended = planAb(request, work, {
    processes: maxRounds,
    warmup: warmup ?? 0,
    kept: kept ?? 1,
  });
  await refuseForeignCampaign({ plan: intended, fixed, pilot: isFixed ? null : pilotPlan });
  const isBegun = existsSync(folderOfCampaign(work.name).ledger);
  if (isFixed) {
    const isShort = isShortAsPilot(maxRounds * (warmup + kept));
    if (isShort || isBegun || ours.assumeYes) return { processes: maxRounds, warmup, kept };
    await refuseForeignPilot(pilotPlan);
  }
  const ofRound = planTrials(intended).length / maxRounds;
  progress.say(
    `at most ${maxRounds} rounds of ${ofRound} processes, ${maxRounds * ofRound} in all; how long that takes is known after the pilot`,
  );
  const pilot = await runSidesPilot(pilotPlan, work, runOptions, firstNumber, progress);
  if (pilot.state === 'stopped') {
    process.exitCode = exitStatus.interrupted;
    return null;
  }
  if (pilot.state === 'failed') {
    sayFailedSides(pilotPlan.name, pilot.lines, progress);
    return null;
  }
  const pilots = pilot.pilots.flat();
  const chosen = chooseRepetitions(pilots, { warmup, kept });
  const roundNs = expectRoundNs(pilots, chosen.warmup + chosen.kept);
  progress.say(
    `${chosen.warmup} warm-up and ${chosen.kept} kept repetitions in each process: a round takes about ${formatDuration(roundNs)}, at most ${maxRounds} of them ${formatDuration(maxRounds * roundNs)}`,
  );
  const fewestRounds = findFirstRound('S2', request.stopping.alpha / tests.length);
  const isAsked = !isBegun && !ours.assumeYes;
  if (isAsked && !(await agreesToTime({ roundNs, maxRounds, fewestRounds }, progress))) return null;
  return { processes: maxRounds, ...chosen };
}

/** Sets the exit status. */
function sayFailedSides(pilot: string, lines: readonly string[], progress: Progress): void {
  progress.say(
    `rooflaw: what cannot run cannot be compared; the logs are in campaigns/${pilot}/logs`,
  );
  for (const line of lines) progress.say(`  ${line}`);
  process.exitCode = exitStatus.trialsFailed;
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

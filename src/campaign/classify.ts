import { RooflawError } from '../errors.ts';
import type { FailedEntry, ObservedEntry } from '../formats/ledger.ts';
import { formatPath } from '../formats/parse.ts';
import type { Trial } from '../formats/trial.ts';
import {
  type EndLine,
  type FailureLine,
  type LoadLine,
  type RepetitionLine,
  runnerLineSchema,
} from '../formats/trial.ts';
import { findTreatmentFaults } from '../protocol/treatment-faults.ts';
import { isAboutLostDevice, isAboutMemory } from './last-words.ts';
import type { ProcessRecord } from './trial-runner.ts';

/** What a finished process amounts to. */
export type TrialOutcome = { measured: Measured } & (
  | { state: 'observed' }
  | { state: 'interrupted' }
  | ({ state: 'failed' } & Pick<FailedEntry, 'code' | 'message'>)
);

/** What the runner's lines say, as far as they came. */
export type Measured = Pick<ObservedEntry, 'load' | 'repetitions' | 'peakResidentBytes'>;

interface Transcript {
  load: LoadLine | null;
  repetitions: RepetitionLine[];
  end: EndLine | null;
  failure: FailureLine | null;
  /** The first thing wrong with the lines, or null. */
  fault: string | null;
}

/** Reads lines in their only right order: load, repetitions from 0, then end or failure. */
function readTranscript(lines: readonly string[]): Transcript {
  const transcript: Transcript = {
    load: null,
    repetitions: [],
    end: null,
    failure: null,
    fault: null,
  };
  for (const [index, text] of lines.entries()) {
    const fault = readLine(text, transcript);
    if (fault === null) continue;
    transcript.fault = `line ${index + 1} of the runner: ${fault}`;
    break;
  }
  return transcript;
}

/** What is said of a line that is none. */
const mostFaultCharacters = 500;
/** A runner says in a sentence why it gives up; what is quoted in it is at most a path. */
const mostMessageCharacters = 16_384;

/** @returns undefined for what is no JSON, or holds half of a character, which no ledger can. */
function decodeRunnerLine(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (!/\\ud[89a-f]/i.test(text)) return value; // only an escape makes half of a character
    let isWhole = true;
    JSON.parse(text, (key, member: unknown) => {
      isWhole &&= key.isWellFormed() && (typeof member !== 'string' || member.isWellFormed());
      return member;
    });
    return isWhole ? value : undefined;
  } catch {
    return undefined;
  }
}

function readLine(text: string, transcript: Transcript): string | null {
  const value = decodeRunnerLine(text);
  if (value === undefined) {
    return `not JSON: ${JSON.stringify(text.slice(0, 80).toWellFormed())}`;
  }
  const parsed = runnerLineSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    // it quotes names of members, which may be of any length
    const what = `${formatPath(issue?.path ?? [])}: ${issue?.message ?? 'not a line of the runner'}`;
    return what.slice(0, mostFaultCharacters).toWellFormed();
  }
  const line = parsed.data;
  if (line.type === 'failure' && line.message.length > mostMessageCharacters) {
    return `message: longer than ${mostMessageCharacters} characters`;
  }
  if (transcript.end !== null || transcript.failure !== null) return `${line.type} after the end`;
  if (line.type === 'failure') {
    transcript.failure = line;
  } else if (line.type === 'load') {
    if (transcript.load !== null) return 'a second load';
    transcript.load = line;
  } else if (transcript.load === null) {
    return `${line.type} before load`;
  } else if (line.type === 'end') {
    transcript.end = line;
  } else if (line.index !== transcript.repetitions.length) {
    return `repetition ${line.index} where ${transcript.repetitions.length} was due`;
  } else {
    transcript.repetitions.push(line);
  }
  return null;
}

/** Without `clockNs` unless steps were timed: the ledgers of v1 have no such member. */
function recordLoad({
  loadNs,
  contextNs,
  applied,
  clockNs,
  treatment,
}: LoadLine): Measured['load'] {
  return {
    loadNs,
    contextNs,
    applied,
    ...(clockNs === null ? {} : { clockNs }),
    ...(treatment === undefined ? {} : { treatment }),
  };
}

/** What the runner says when its output takes nothing more, and ends for. */
const saysUnwritable = /^runner: cannot write the results/m;

/**
 * Decides what a process was: observed only when it ended by itself with status 0, said everything
 * in order, measured as often as asked, and no repetition is zero or longer than the process lived.
 * @param timeLimitMs to be named where the process ran past it
 * @throws RooflawError `not-writable` where the runner could not write what it had measured: that is the
 * disk's fault, so that the trial has no outcome and is measured again
 */
export function classifyTrial(
  trial: Trial,
  record: ProcessRecord,
  timeLimitMs?: number,
): TrialOutcome {
  const transcript = readTranscript(record.lines);
  const measured: Measured = {
    load: transcript.load && recordLoad(transcript.load),
    repetitions: transcript.repetitions.map(({ type: _type, index: _index, ...times }) => times),
    peakResidentBytes: transcript.end?.peakResidentBytes ?? null,
  };
  const failed = (code: FailedEntry['code'], message: string): TrialOutcome => {
    const left = record.leftRunning ? `; ${record.leftRunning}` : '';
    return { state: 'failed', code, message: `${message}${left}`, measured };
  };
  const { lastWords } = record;
  const why = lastWords === null ? '' : `: ${lastWords}`;
  const lost = lastWords !== null && isAboutLostDevice(lastWords) ? `: ${lastWords}` : '';

  if (record.startError !== null) return failed('not-started', record.startError);
  if (record.endedBy === 'stopped') return { state: 'interrupted', measured };
  if (record.endedBy === 'time-limit') {
    const limit = timeLimitMs === undefined ? '' : ` of ${timeLimitMs / 1000} s`;
    return failed('time-limit', `ran past the time limit${limit}${lost}`);
  }
  if (record.endedBy === 'too-much-output') {
    return failed('bad-output', record.outputFault ?? 'printed too much');
  }
  if (transcript.failure !== null) {
    const { code, message } = transcript.failure;
    if (lost === '' && isAboutMemory(message)) {
      return failed('out-of-memory', `an allocation failed: ${code}: ${message}`);
    }
    return failed('refused-by-runner', `${code}: ${message}${lost}`);
  }
  if (record.outOfMemoryKill) {
    return failed('out-of-memory', 'ended by the kernel, which had no memory left for it');
  }
  if (record.signal === null && record.exitStatus !== 0 && saysUnwritable.test(record.stderrEnd)) {
    throw new RooflawError(
      'not-writable',
      'the runner could not write its results to logs/ beside the ledger',
      {
        hint: 'it was not failed for that: make room or see to the disk, then run the same command to resume',
      },
    );
  }
  const hasEndedBadly = record.signal !== null || record.exitStatus !== 0;
  if (hasEndedBadly && lost === '' && isAboutMemory(`${record.stderrEnd}\n${lastWords ?? ''}`)) {
    return failed('out-of-memory', `an allocation failed${why}`);
  }
  if (record.signal !== null) return failed('signal', `ended by ${record.signal}${why}`);
  if (record.exitStatus !== 0) {
    return failed('exit-status', `exit status ${record.exitStatus}${why}`);
  }
  if (record.leftRunning) return failed('exit-status', 'exit status 0 before all had ended');
  if (record.outputFault) return failed('bad-output', record.outputFault);
  if (transcript.fault !== null) return failed('bad-output', transcript.fault);
  if (transcript.load === null || transcript.end === null) {
    return failed('bad-output', 'the runner ended without saying so');
  }
  if (transcript.load.modelSha256 !== trial.modelSha256) {
    return failed('bad-output', `the runner loaded ${transcript.load.modelSha256}`);
  }
  const count = transcript.repetitions.length;
  if (count !== trial.repetitions || transcript.end.repetitions !== count) {
    return failed('wrong-repetition-count', `${count} of ${trial.repetitions} repetitions`);
  }
  const zero = transcript.repetitions.find(({ wallNs }) => wallNs === 0);
  if (zero !== undefined) return failed('invalid-time', `repetition ${zero.index} took 0 ns`);
  const stepFault = findStepFault(trial, transcript.load, transcript.repetitions);
  if (stepFault !== null) return failed(stepFault.code, stepFault.message);
  const [treatmentFault] = findTreatmentFaults(
    treatmentOf(trial),
    transcript.load,
    transcript.repetitions,
  );
  if (treatmentFault !== undefined) return failed('bad-output', treatmentFault);
  const saidNs = sumSaidNs(transcript);
  if (saidNs > record.processNs) {
    return failed(
      'invalid-time',
      `the times add up to ${saidNs} ns, the process lived ${record.processNs} ns`,
    );
  }
  const { peakResidentBytes } = transcript.end;
  const machineBytes = record.machineMemoryBytes ?? Number.POSITIVE_INFINITY;
  if (peakResidentBytes !== null && peakResidentBytes > machineBytes) {
    return failed(
      'bad-output',
      `its memory was ${peakResidentBytes} bytes, the machine has ${machineBytes}`,
    );
  }
  return { state: 'observed', measured };
}

/** Steps are timed in every repetition or in none, as many as asked, and add up to the whole. */
function findStepFault(
  trial: Trial,
  load: LoadLine,
  repetitions: readonly RepetitionLine[],
): Pick<FailedEntry, 'code' | 'message'> | null {
  const bad = (message: string) => ({ code: 'bad-output', message }) as const;
  if ((load.clockNs !== null) !== trial.stepTimes) {
    return bad(`clockNs is ${load.clockNs} where stepTimes is ${trial.stepTimes}`);
  }
  for (const { index, wallNs, prepareNs, stepNs, prefillNs } of repetitions) {
    const where = `repetition ${index}`;
    if (!trial.stepTimes) {
      if (stepNs === undefined && prefillNs === undefined) continue;
      return bad(`${where} has times of steps that nobody asked for`);
    }
    if (stepNs?.length !== trial.decodeSteps) {
      return bad(`${where} has ${stepNs?.length ?? 0} of ${trial.decodeSteps} times of steps`);
    }
    const isFilledHere =
      trial.sequenceLength > 0 && (trial.cachePreparation === 'compute' || index === 0);
    if (prefillNs === undefined || (prefillNs !== null) !== isFilledHere) {
      return bad(`${where} has prefillNs ${prefillNs}`);
    }
    const stepsNs = stepNs.reduce((sum, ns) => sum + ns, 0);
    if (stepsNs !== wallNs) {
      const message = `the steps of ${where} add up to ${stepsNs} ns, not to its ${wallNs} ns`;
      return { code: 'invalid-time', message };
    }
    if (prefillNs !== null && prefillNs > prepareNs) {
      const message = `${where} took ${prefillNs} ns to fill the cache, of ${prepareNs} ns to prepare`;
      return { code: 'invalid-time', message };
    }
  }
  return null;
}

const treatmentOf = (trial: Trial) => ('treatment' in trial ? trial : {});

function sumSaidNs({ load, repetitions }: Transcript): number {
  const startNs = (load?.loadNs ?? 0) + (load?.contextNs ?? 0);
  return repetitions.reduce((sum, { wallNs, prepareNs }) => sum + wallNs + prepareNs, startNs);
}

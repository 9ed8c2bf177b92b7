import { type Fault, throwFaults } from '../errors.ts';
import { parseDurationNs } from '../llama-bench/options/duration.ts';
import { parseShare, readPair, takeOptions } from './ab-arguments.ts';
import { readSides, refuseUnquotedSides, type SidesRequest } from './ab-request.ts';
import { gateFileOptions, gateOptions, gateReader } from './gate-words.ts';

/** What `rooflaw gate` was asked; a is base, b the candidate. */
export interface GateRequest extends SidesRequest {
  /** A fraction of 1. */
  maxSlowdown: number;
  timeLimitNs: number;
}

/** Where results go besides standard output; null: nowhere. */
export interface GateFiles {
  summary: string | null;
  junit: string | null;
}

const usualMaxSlowdown = 0.03;
const usualTimeNs = 600e9;

/**
 * Takes the files out of a command line, so that a faulty rest of it can be told there too.
 * @param faults gets what is wrong about them; they are null then
 */
export function takeGateFiles(
  words: readonly string[],
  faults: Fault[],
): { files: GateFiles; rest: string[] } {
  const { values, rest } = takeOptions(
    words,
    gateFileOptions.map(({ name }) => name),
    faults,
  );
  const fileOf = (name: string): string | null => {
    const path = values.get(name) ?? null;
    if (path === '') faults.push({ where: name, what: 'names an empty file' });
    return path === '' ? null : path;
  };
  return { files: { summary: fileOf('--summary'), junit: fileOf('--junit') }, rest };
}

/**
 * @param words without the options of `takeGateFiles`
 * @throws RooflawError `invalid-input` with every fault of the command line
 */
export function readGateRequest(words: readonly string[], faults: Fault[]): GateRequest {
  const names = gateOptions.map(({ name }) => name);
  refuseUnquotedSides('gate', words);
  const taken = takeOptions(words, names, faults);
  const { values } = taken;
  const slowdownText = values.get('--max-slowdown');
  const maxSlowdown =
    slowdownText === undefined ? usualMaxSlowdown : (parseShare(slowdownText) ?? 0);
  if (maxSlowdown === 0) {
    const what = `"${slowdownText}" must be a share above 0 and below 1`;
    const hint = '3% or 0.03; of no slowdown at all a measurement cannot be sure';
    faults.push({ where: '--max-slowdown', what, hint });
  }
  const timeText = values.get('--time');
  const timeLimitNs = timeText === undefined ? usualTimeNs : (parseDurationNs(timeText) ?? 0);
  if (timeLimitNs === 0) {
    const what = `"${timeText}" is no time above 0 with its unit`;
    faults.push({ where: '--time', what, hint: '90s, 10m, 1h or 1h30m' });
  }
  const backends = readPair(taken, ['--base', '--candidate'], faults);
  const options = readPair(taken, ['--a', '--b'], faults);
  const sides = readSides(gateReader, taken.rest, { backends, options }, faults);
  throwFaults('options of gate', faults);
  return { ...sides, maxSlowdown, timeLimitNs };
}

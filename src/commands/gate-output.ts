import { accessSync, appendFileSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainFileError } from '../file-error.ts';
import type { Gate } from '../formats/ab.ts';
import { formatGateSummary } from '../report/format-gate.ts';
import { formatJunit } from '../report/write-junit.ts';
import type { GateFiles } from './gate-request.ts';
import { writeOutput } from './write-file.ts';

const hint = 'name a file in a folder that exists and that you may write to';

/** Before ten minutes are spent. @throws RooflawError `not-writable` */
export function checkGateFiles({ summary, junit }: GateFiles): void {
  for (const path of [summary, junit]) {
    if (path === null) continue;
    try {
      accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    } catch (error) {
      throw explainFileError(error, path, hint);
    }
  }
}

/**
 * The summary is appended, as GitHub’s step summaries ask for; JUnit XML replaces an older file.
 * @throws RooflawError `not-writable`, `no-space`
 */
export function writeGateFiles(gate: Gate, { summary, junit }: GateFiles): void {
  if (junit !== null) writeOutput(junit, formatJunit(gate));
  if (summary === null) return;
  try {
    appendFileSync(summary, formatGateSummary(gate));
  } catch (error) {
    throw explainFileError(error, summary, hint);
  }
}

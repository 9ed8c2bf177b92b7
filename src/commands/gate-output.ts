import { accessSync, appendFileSync, constants, existsSync, statSync } from 'node:fs';
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
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
        throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
      accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    } catch (error) {
      throw explainFileError(error, path, hint);
    }
  }
}

/**
 * The summary is appended, as GitHub’s step summaries ask for; JUnit XML replaces an older file.
 * @returns why the files that could not be written were not; the others are written all the same.
 */
export function writeGateFiles(gate: Gate, { summary, junit }: GateFiles): unknown[] {
  const failures: unknown[] = [];
  const attempt = (path: string | null, write: (path: string) => void) => {
    try {
      if (path !== null) write(path);
    } catch (error) {
      failures.push(explainFileError(error, path!, hint));
    }
  };
  attempt(junit, (path) => writeOutput(path, formatJunit(gate)));
  attempt(summary, (path) => appendFileSync(path, formatGateSummary(gate)));
  return failures;
}

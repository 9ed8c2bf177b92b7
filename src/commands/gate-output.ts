import { accessSync, appendFileSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { RooflawError } from '../errors.ts';
import { explainFileError } from '../file-error.ts';
import type { Gate } from '../formats/ab.ts';
import { formatGateSummary } from '../report/format-gate.ts';
import { formatJunit, junitMark } from '../report/write-junit.ts';
import type { GateFiles } from './gate-request.ts';
import { readHead, refuseOther, writeOutput } from './write-file.ts';

const hint = 'name a file in a folder that exists and that you may write to';

/** A summary is added to what is there, and would break a ledger, a seal or a key. */
function refuseUnlessWords(path: string): void {
  let head: string;
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
    head = readHead(path);
  } catch (error) {
    throw explainFileError(error, path, hint);
  }
  if (!/^(?:\[?\s*\{\s*"|-----BEGIN|<\?xml|<!doctype|<html|<testsuites)/i.test(head)) return;
  throw new RooflawError('already-exists', `${path} is there, and no Markdown`, {
    hint: 'the summary is added to a file of Markdown: name another',
  });
}

/** Before ten minutes are spent. @throws RooflawError `not-writable`, `already-exists` */
export function checkGateFiles({ summary, junit }: GateFiles): void {
  if (junit !== null) refuseOther(junit, junitMark);
  if (summary !== null) refuseUnlessWords(summary);
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
  attempt(junit, (path) => {
    refuseOther(path, junitMark);
    writeOutput(path, formatJunit(gate));
  });
  attempt(summary, (path) => appendFileSync(path, formatGateSummary(gate)));
  return failures;
}

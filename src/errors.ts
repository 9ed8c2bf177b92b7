import { toPrintable } from './printable.ts';
import { formatCount } from './units.ts';

/** Every expected failure of the program, with what to try. Unexpected errors stay plain `Error`s. */

export const exitStatus = {
  ok: 0,
  /** A defect of Rooflaw itself; a stack trace is printed. */
  unexpected: 1,
  /** Malformed input or command line; nothing was written. */
  invalidInput: 2,
  /** The campaign is complete, but some trials failed. */
  trialsFailed: 3,
  /** Something the machine lacks: compiler, libraries, disk space, permission. */
  environment: 4,
  /** A ledger or a model file is not what its hashes say. */
  integrity: 5,
  /** Another campaign owns the device or the folder. */
  busy: 6,
  /** Stopped by Ctrl-C or SIGTERM; the campaign can be resumed. */
  interrupted: 130,
} as const;

const statusOfCode = {
  'invalid-input': exitStatus.invalidInput,
  'not-found': exitStatus.invalidInput,
  'already-exists': exitStatus.invalidInput,
  'no-compiler': exitStatus.environment,
  'no-backend': exitStatus.environment,
  'no-space': exitStatus.environment,
  'not-writable': exitStatus.environment,
  'build-failed': exitStatus.environment,
  'runner-unusable': exitStatus.environment,
  'device-unusable': exitStatus.environment,
  'model-mismatch': exitStatus.integrity,
  'ledger-broken': exitStatus.integrity,
  busy: exitStatus.busy,
  interrupted: exitStatus.interrupted,
} as const;

export type ErrorCode = keyof typeof statusOfCode;

/** One fault of an input: where it is, what is wrong, what to try. */
export interface Fault {
  /** A path such as `conditions[3].sequenceLength`, or a file and line. */
  where: string;
  what: string;
  hint?: string;
}

export class RooflawError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly faults: readonly Fault[];

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; faults?: readonly Fault[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RooflawError';
    this.code = code;
    this.hint = options.hint;
    this.faults = options.faults ?? [];
  }

  get exitStatus(): number {
    return statusOfCode[this.code];
  }
}

export function isNotFound(error: unknown): error is RooflawError {
  return error instanceof RooflawError && error.code === 'not-found';
}

/** Throws one error that lists every fault, or returns when there is none. */
export function throwFaults(subject: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const count = formatCount(faults.length, 'fault');
  throw new RooflawError('invalid-input', `${subject}: ${count}`, { faults });
}

/** The message a person reads: what, where, what to try; safe to print, whatever is quoted in it. */
export function describeError(error: RooflawError): string {
  const lines = [`rooflaw: ${error.message.trim()}`];
  for (const fault of error.faults) {
    lines.push(`  ${fault.where}: ${fault.what}`);
    if (fault.hint !== undefined) lines.push(`    try: ${fault.hint}`);
  }
  if (error.hint !== undefined) lines.push(`try: ${error.hint}`);
  return lines
    .flatMap((line) => line.split('\n'))
    .map(toPrintable)
    .join('\n');
}

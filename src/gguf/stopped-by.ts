import { RooflawError } from '../errors.ts';

export function stoppedBy(signal: AbortSignal): RooflawError {
  return new RooflawError('interrupted', 'stopped while a model was generated; no file was left', {
    cause: signal.reason,
  });
}

import { uptime } from 'node:os';

/**
 * A clock that goes on while the machine is suspended, in nanoseconds; `process.hrtime` stands still
 * then. null where the system has none that is known to.
 */
export function readBootClockNs(): number | null {
  return process.platform === 'linux' ? Math.round(uptime() * 1e9) : null;
}

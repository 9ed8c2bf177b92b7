import { replayCampaign } from '../analysis/replay.ts';
import { locateCampaign } from '../campaign/locate.io.ts';
import { RooflawError } from '../errors.ts';
import type { Replay } from '../formats/sequential.ts';
import { hashShippedProtocols, readProtocol } from '../protocol/shipped.io.ts';
import { locateTrialTable } from '../publication/read-tables.io.ts';
import { loadRecord } from './load-record.ts';

/**
 * Runs a recorded campaign through the stopping rule of a protocol.
 * @throws RooflawError `not-found`, `ledger-broken`, `invalid-input`
 */
export async function loadReplay(
  campaign: string,
  protocol: string,
  compare: readonly string[],
): Promise<Replay> {
  const rule = readProtocol(protocol);
  const record = await loadRecord(locateLedger(campaign));
  return replayCampaign(record, rule, hashShippedProtocols(), compare);
}

function locateLedger(campaign: string): string {
  try {
    return locateCampaign(campaign).ledger;
  } catch (error) {
    if (locateTrialTable(campaign) === null) throw error;
    throw new RooflawError('invalid-input', `${campaign} is a table of trials, not a ledger`, {
      hint: 'a replay needs the plan and every trial of the rounds, which a ledger holds',
      cause: error,
    });
  }
}

import { createRandom } from '../../src/random.ts';
import { chainCampaign, measureWith } from '../../test/support/sequential-campaign.ts';
import { sequentialPlan, sequentialProtocol } from '../../test/support/sequential-plan.ts';
import { chainAnew } from './chain-anew.ts';

/** A complete ledger with a stopping rule that never decides, so that all rounds are in it. */
export async function buildSequentialLedger(rounds: number): Promise<Buffer> {
  const random = createRandom('tamper/times');
  const plan = sequentialPlan(sequentialProtocol({ processesPerItem: rounds }));
  const entries = await measureWith(plan, () => 900_000 + random.nextBelow(200_000));
  return chainAnew(chainCampaign(plan, entries));
}

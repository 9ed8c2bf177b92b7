import { describe, expect, test } from 'vitest';
import { emptyState } from '../../src/campaign/resume.ts';
import { runCampaign } from '../../src/campaign/run-campaign.ts';
import { analyzeExperiment } from '../../src/experiment/analyze.ts';
import type { ExperimentFacts } from '../../src/experiment/builtin.ts';
import { builtIns } from '../../src/experiment/builtins.ts';
import { createExperimentCollector } from '../../src/experiment/collect.ts';
import type { Experiment } from '../../src/formats/experiment.ts';
import type { ExperimentResult, NaturalCase } from '../../src/formats/experiment-result.ts';
import type { LedgerEntry } from '../../src/formats/ledger.ts';
import { smallExperimentPlan } from '../support/experiment-plan.ts';
import { fakePorts } from '../support/fake-ports.ts';
import { createLedger } from '../support/ledger-builder.ts';
import { fileModel } from '../support/variant-plan.ts';
import {
  type Cause,
  createSyntheticRunner,
  quietScatter,
  type Scatter,
} from './synthetic-runner.ts';

const facts: ExperimentFacts = {
  cpus: [0, 1],
  wishedCpus: null,
  isCpuDevice: false,
  whyNot: { fixedAddresses: null, whoRuns: null, perfStat: null },
  cpuPolicy: { withheld: 'not here' },
  observer: null,
  hasTrainedFile: false,
};

/** As they come, with no warm-up: on this machine nothing warms up. */
const experiments = (['log-output', 'cpu-migration', 'natural'] as const).map(
  (name): Experiment => {
    const { experiment } = builtIns.find((one) => one.name === name)!.declare(facts);
    return { ...experiment!, repetitions: { warmup: 0, kept: 5 } };
  },
);
const plans = experiments.map((experiment) =>
  smallExperimentPlan(experiment, [fileModel('one', '1')]),
);
const beginnings = plans.map((plan) => createLedger(plan).entries[0]!);

/** Runs an experiment through the harness on a synthetic machine. */
async function diagnose(place: number, cause: Cause, scatter: Scatter, seed: string) {
  const [plan, collector] = [plans[place]!, createExperimentCollector()];
  collector.take(beginnings[place]!);
  const runner = createSyntheticRunner(cause, scatter, seed);
  const ports = fakePorts({ runner, variantRunners: new Map([['embedded', runner]]) });
  for await (const entry of runCampaign(plan, emptyState(plan), 0, ports))
    collector.take(entry as unknown as LedgerEntry);
  return analyzeExperiment(collector.finish()!);
}

/** Fewer slow repetitions are cases of their own, of which nothing in general is said. */
const fewestCases = 5;

/** What a result says is the cause, of those that were planted. */
function nameCauses({ findings, natural, declared }: ExperimentResult): Cause[] {
  const isFound = findings.some(
    ({ verdict }) => verdict === 'caused by the intervention in this experiment',
  );
  const causes: Cause[] = isFound ? [declared.name === 'log-output' ? 'log' : 'move'] : [];
  if (declared.name !== 'natural') return causes;
  for (const { cases, slow } of natural) {
    if (slow < fewestCases) continue;
    const isMost = (has: (one: NaturalCase) => boolean) => cases.filter(has).length >= 0.8 * slow;
    const hasWaited = ({ kind, extraWaitingNs, extraOtherNs }: NaturalCase) =>
      kind === 'time-off-cpu-grew' && extraWaitingNs! > extraOtherNs!;
    const hasDipped = ({ kind, frequencyRatio }: NaturalCase) =>
      kind === 'cpu-time-grew' && frequencyRatio! < 0.975;
    if (isMost(hasWaited)) causes.push('pauses');
    if (isMost(hasDipped)) causes.push('dips');
  }
  return causes;
}

const runs = 200;
const least = 190;

async function countNamed(cause: Cause, scatter: Scatter, seeds: number) {
  const named = { right: 0, other: 0, quiet: [0, 0, 0] };
  for (let seed = 0; seed < seeds; seed++) {
    const causes: Cause[] = [];
    for (const place of plans.keys()) {
      const found = nameCauses(await diagnose(place, cause, scatter, `${cause}/${place}/${seed}`));
      if (found.length === 0) named.quiet[place]! += 1;
      causes.push(...found);
    }
    if (causes.includes(cause)) named.right += 1;
    if (causes.some((one) => one !== cause)) named.other += 1;
  }
  return named;
}

describe('on a synthetic machine', () => {
  test.each(['log', 'move', 'pauses', 'dips'] as const)(
    'the planted cause %s is named in at least 190 of 200 runs',
    async (cause) => {
      const named = await countNamed(cause, quietScatter, runs);
      console.log(
        `planted ${cause}: named in ${named.right} of ${runs}, another one besides in ${named.other}`,
      );
      expect(named.right).toBeGreaterThanOrEqual(least);
    },
    120_000,
  );

  test('with no cause nothing is distinguishable in at least 95 % of 200 runs of each experiment', async () => {
    const { quiet } = await countNamed('none', quietScatter, runs);
    console.log(`nothing planted: nothing named in ${quiet.join(', ')} of ${runs}`);
    expect(Math.min(...quiet)).toBeGreaterThanOrEqual(least);
  }, 120_000);
});

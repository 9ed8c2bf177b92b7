import { findLastWords } from '../../src/campaign/last-words.ts';
import { emptyState } from '../../src/campaign/resume.ts';
import { runCampaign } from '../../src/campaign/run-campaign.ts';
import { splitOutput } from '../../src/campaign/split-output.ts';
import type { ProcessRecord } from '../../src/campaign/trial-runner.ts';
import { chooseDevice, refuseTooManyThreads } from '../../src/commands/choose-device.ts';
import { RooflawError } from '../../src/errors.ts';
import {
  type LedgerEntry,
  ledgerEntrySchema,
  type UnchainedEntry,
} from '../../src/formats/ledger.ts';
import { parseText } from '../../src/formats/parse.ts';
import type { Plan } from '../../src/formats/plan.ts';
import { runnerDescriptionSchema } from '../../src/formats/trial.ts';
import { identityOf } from '../../src/hash.ts';
import { chainEntry, emptyChain } from '../../src/ledger/chain.ts';
import { toPrintable } from '../../src/printable.ts';
import { fakePorts } from '../../test/support/fake-ports.ts';
import { stepPlan } from '../../test/support/step-campaign.ts';
import { readShipped } from './shipped-text.ts';
import { type Target, toBytes, toText } from './target.ts';

type EntryOf<Type extends LedgerEntry['type']> = Extract<LedgerEntry, { type: Type }>;

/** A real campaign on a GPU: its plan, what its runner said of itself, and its first trial. */
const [campaign, , intended, observed] = readShipped('results/h200-pilot-v1/ledger.ndjson')
  .split('\n', 4)
  .map((line) => JSON.parse(line)) as [
  EntryOf<'campaign'>,
  LedgerEntry,
  EntryOf<'intended'>,
  EntryOf<'observed'>,
];
const timedSteps = stepPlan();

type Lines = Pick<EntryOf<'observed'>, 'load' | 'repetitions' | 'peakResidentBytes'>;

/** What the runner printed for what a ledger kept of it. */
function printLines(modelSha256: string, { load, repetitions, peakResidentBytes }: Lines): string {
  const lines = [
    { type: 'load', formatVersion: 1, modelSha256, clockNs: null, ...load },
    ...repetitions.map((repetition, index) => ({ type: 'repetition', index, ...repetition })),
    { type: 'end', repetitions: repetitions.length, peakResidentBytes },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The same runner where each of eight steps is timed, in three repetitions. */
function printSteps(): string {
  const stepNs = [100, 100, 100, 100, 100, 100, 100, 100];
  const repetition = { wallNs: 800, prepareNs: 60, stepNs, prefillNs: 50 };
  const load = { ...observed.load!, clockNs: 0.5 };
  const lines = { load, repetitions: [repetition, repetition, repetition] };
  return timedSteps.models
    .map(({ sha256 }) => printLines(sha256, { ...lines, peakResidentBytes: null }))
    .find((text) => text.includes(firstModel))!;
}

const firstModel = await findFirstModel();

async function findFirstModel(): Promise<string> {
  for await (const entry of runCampaign(timedSteps, emptyState(timedSteps), 0, fakePorts())) {
    if (entry.type === 'intended') return entry.modelSha256;
  }
  throw new Error('the plan has no trial');
}

const failure = `${JSON.stringify({
  type: 'failure',
  code: 'model-not-loaded',
  message: 'cannot load /models/a b.gguf: error loading model: tensor has wrong shape',
})}\n`;

/** The outcome of a plan's first trial whose process printed this and ended so. */
async function concludeTrial(plan: Plan, end: ProcessRecord): Promise<UnchainedEntry> {
  const ports = fakePorts({ runner: { run: async () => end } });
  for await (const entry of runCampaign(plan, emptyState(plan), 0, ports)) {
    if (entry.type !== 'intended') return entry;
  }
  throw new Error('a trial without an outcome');
}

/** What goes into a ledger must come out of it. */
function keep(entry: UnchainedEntry): void {
  const { line } = chainEntry(entry, emptyChain, '2026-01-01T00:00:00.000Z');
  const { error } = ledgerEntrySchema.safeParse(JSON.parse(line));
  if (error !== undefined) throw new Error(`an entry that no ledger takes: ${error.message}`);
}

const wayToEnd = {
  ...{ signal: null, endedBy: null, startError: null, outOfMemoryKill: false },
  machineMemoryBytes: 2 ** 40,
};

export const runnerTargets: readonly Target[] = [
  {
    name: 'runner-lines',
    kind: 'ndjson',
    corpus: () => [
      toBytes(printLines(intended.modelSha256, observed)),
      toBytes(printSteps()),
      toBytes(failure),
    ],
    words: [
      '"stepNs":[',
      '{"type":"end"',
      '{"type":"load"}\n',
      '\\ud800',
      '"message":"',
      '"name":"',
    ],
    async read(input) {
      const { lines, fault } = splitOutput(input);
      const text = toText(input);
      const told: string[] = [];
      let isTaken = false;
      const ways = [
        { plan: campaign.plan, exitStatus: 0 },
        { plan: campaign.plan, exitStatus: 1 },
        { plan: timedSteps, exitStatus: 0 },
      ];
      for (const { plan, exitStatus } of ways) {
        const entry = await concludeTrial(plan, {
          ...wayToEnd,
          ...{ lines, exitStatus, outputFault: fault },
          processNs: plan.protocol.trialTimeLimitSeconds * 1e9,
          stderrEnd: text.slice(-4096).toWellFormed(),
          lastWords: exitStatus === 0 ? null : findLastWords(text),
        });
        keep(entry);
        isTaken ||= entry.type === 'observed';
        if (entry.type !== 'failed') continue;
        isTaken ||= entry.code === 'refused-by-runner';
        told.push(toPrintable(`${entry.code}: ${entry.message}`));
      }
      if (!isTaken) throw new RooflawError('invalid-input', told.join('\n'));
      return told.join('\n');
    },
  },
  {
    name: 'runner-description',
    kind: 'json',
    corpus: () => [toBytes(JSON.stringify(describeRunner()))],
    words: ['"devices":[', '"allowedCpus":[', '\\ud800', '"type":"gpu"', '"memoryBytes":', '0,'],
    read(input) {
      const description = parseText(runnerDescriptionSchema, toText(input), 'what the runner says');
      identityOf(description);
      refuseTooManyThreads('v1', campaign.plan.protocol.execution, description, null);
      const wishes = [undefined, 'CUDA0', description.devices[0]?.name];
      return wishes.map((wish) => toPrintable(chooseDevice(description, wish).name)).join();
    },
  },
];

const describeRunner = () => ({
  ...campaign.backend.description,
  allowedCpus: [0, 1, 2, 3, 4, 5, 6, 7],
});

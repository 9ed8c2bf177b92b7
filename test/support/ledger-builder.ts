import type {
  DeviceState,
  FailedEntry,
  LedgerEntry,
  ObservedEntry,
  UnchainedEntry,
} from '../../src/formats/ledger.ts';
import { layersOfModel, type Plan, planSchema } from '../../src/formats/plan.ts';
import { type Execution, type Protocol, protocolSchema } from '../../src/formats/protocol.ts';
import type { LoadLine } from '../../src/formats/trial.ts';
import { identityOf, sha256Hex } from '../../src/hash.ts';
import { chainEntry, emptyChain } from '../../src/ledger/chain.ts';
import { createBaseExecution } from '../../src/llama-bench/options/base-execution.ts';
import { planTrials, type ScheduledTrial } from '../../src/protocol/schedule.ts';
import { emptyLog } from './fake-ports.ts';

/** Times of a trial around its repetitions, in ns; literal so that sums can be checked by hand. */
export const aroundTrial = {
  loadNs: 1_000,
  contextNs: 500,
  prepareNs: 10,
  /** Process start and exit: what is left of the process after all the rest. */
  restNs: 300,
  harnessNs: 40,
  readBeforeNs: 20,
  readAfterNs: 30,
  idleWaitNs: 7,
};

/** A short protocol with v1's flags: 2 warm-up and 2 kept repetitions. */
export function buildProtocol(changes: Partial<Protocol> = {}): Protocol {
  return protocolSchema.parse({
    format: 'rooflaw-protocol',
    formatVersion: 1,
    name: 'test-1',
    description: 'A protocol for tests.',
    phases: ['prefill', 'decode'],
    decodeSteps: 64,
    tokenSeed: 1,
    processesPerItem: 10,
    repetitions: { warmup: 2, kept: 2 },
    trialStatistic: 'mean-of-kept',
    representative: 'median-of-trial-means',
    order: 'randomised-rounds',
    reference: {
      architecture: buildArchitecture('mid', 16),
      quantization: 'Q8_0',
      sequenceLength: 512,
      weightSeed: 1,
    },
    execution: { ...createBaseExecution(2), batch: 512, ubatch: 128, lazyMode: 'off' },
    observation: { deviceState: 'trial-boundaries', hostCounters: 'none', profiler: 'none' },
    idleWait: null,
    trialTimeLimitSeconds: 60,
    flags: {
      stable: { maxRelativeRange: 0.05, maxInTrialCv: 0.05 },
      drift: { minRounds: 10, edgeRounds: 5, above: 0.05 },
    },
    removal: 'none',
    tails: 'reported-apart',
    cost: 'whole-hardware-time',
    ...changes,
  });
}

function buildArchitecture(name: string, layerCount: number) {
  return {
    name,
    headDim: 64,
    headCount: 8,
    kvHeadCount: 4,
    feedForwardLength: 1536,
    layerCount,
    vocabularySize: 32000,
  };
}

/** Two conditions, so four items: small F16 S128, and mid Q8_0 S512, which is the reference. */
export function buildPlan(changes: Partial<Plan> = {}): Plan {
  const protocol = changes.protocol ?? buildProtocol();
  const modelOf = (name: string, quantization: string, layerCount: number) => ({
    architecture: buildArchitecture(name, layerCount),
    quantization,
    weightSeed: 1,
    generatorVersion: 1,
    fileBytes: 1_000_000,
    sha256: sha256Hex(`model ${name}`),
  });
  const reference = { modelSha256: sha256Hex('model mid'), sequenceLength: 512 };
  return planSchema.parse({
    format: 'rooflaw-plan',
    formatVersion: 1,
    name: 'test-campaign',
    declaration: {
      question: 'Does mid cost 10 % more than small?',
      targetDifference: 0.1,
      comparisonFamily: 'all items of one phase',
      closureRule: { rule: 'largest-endpoint-distance', maxShareOfTarget: 0.5 },
      tailsAreAGoal: false,
    },
    space: { name: 'test-space', sha256: sha256Hex('space') },
    protocol,
    protocolSha256: identityOf(protocol),
    scheduleSeed: 7,
    models: [modelOf('small', 'F16', 8), modelOf('mid', 'Q8_0', 16)],
    conditions: [{ modelSha256: sha256Hex('model small'), sequenceLength: 128 }, reference],
    reference: { ...reference, partOfSpace: true },
    ...changes,
  });
}

export interface LedgerBuilder {
  readonly entries: LedgerEntry[];
  readonly schedule: ScheduledTrial[];
  add(entry: UnchainedEntry): void;
  startSession(changes?: Partial<Extract<LedgerEntry, { type: 'session' }>>): void;
  intend(trial: number, attempt?: number): void;
  /** Intends and observes a trial. */
  observe(trial: number, wallNs: readonly number[], changes?: Partial<ObservedEntry>): void;
  /** Intends and fails a trial. */
  fail(trial: number, changes?: Partial<FailedEntry>): void;
}

/** A chained ledger that begins with its campaign entry and one session. */
export function createLedger(
  plan: Plan = buildPlan(),
  campaignChanges: Partial<Extract<LedgerEntry, { type: 'campaign' }>> = {},
): LedgerBuilder {
  const entries: LedgerEntry[] = [];
  const schedule = planTrials(plan);
  let head = emptyChain;
  let sessions = 0;

  const builder: LedgerBuilder = {
    entries,
    schedule,
    add(entry) {
      const time = new Date(Date.UTC(2026, 0, 1, 0, 0, entries.length)).toISOString();
      const chained = chainEntry(entry, head, time);
      head = chained.head;
      entries.push(chained.entry);
    },
    startSession(changes = {}) {
      const session = sessions++;
      builder.add({
        type: 'session',
        session,
        bootId: 'boot-a',
        differences: [],
        tornLine: null,
        ...changes,
      });
    },
    intend(trial, attempt = 0) {
      const { round, position, item, model } = schedule[trial]!;
      builder.add({
        type: 'intended',
        trial,
        attempt,
        session: sessions - 1,
        round,
        position,
        item,
        modelSha256: model.sha256,
      });
    },
    observe(trial, wallNs, changes = {}) {
      builder.intend(trial, changes.attempt ?? 0);
      builder.add({
        type: 'observed',
        trial,
        attempt: 0,
        ...measure(wallNs, plan, schedule[trial]!),
        log: emptyLog(trial, changes.attempt ?? 0),
        ...changes,
      });
    },
    fail(trial, changes = {}) {
      builder.intend(trial, changes.attempt ?? 0);
      builder.add({
        type: 'failed',
        trial,
        attempt: 0,
        ...measure([], plan, schedule[trial]!),
        load: null,
        processNs: 9_000,
        code: 'signal',
        message: 'ended by SIGSEGV',
        exitStatus: null,
        signal: 'SIGSEGV',
        stderrEnd: '',
        ...changes,
      });
    },
  };
  builder.add({ ...campaignEntryOf(plan), ...campaignChanges });
  builder.startSession();
  return builder;
}

/** A complete ledger; the caller says what each trial's repetitions took. */
export function buildLedger(
  plan: Plan,
  wallNsOf: (scheduled: ScheduledTrial) => readonly number[],
): LedgerEntry[] {
  const ledger = createLedger(plan);
  for (const scheduled of ledger.schedule) ledger.observe(scheduled.trial, wallNsOf(scheduled));
  ledger.add({ type: 'end', observed: ledger.schedule.length, failed: 0 });
  return ledger.entries;
}

/** What a runner says that took the settings of its trial. */
export function appliedIn(plan: Plan, planned: ScheduledTrial): LoadLine['applied'] {
  const { item, model, execution } = planned;
  const { phase, sequenceLength, depth = 0, decodeSteps = plan.protocol.decodeSteps } = item;
  const contextSize = depth + sequenceLength + (phase === 'decode' ? decodeSteps : 0);
  return {
    threads: execution.threads,
    threadsBatch: execution.threadsBatch,
    contextSize,
    batch: Math.min(execution.batch, contextSize),
    ubatch: Math.min(execution.ubatch, contextSize),
    flashAttention: execution.flashAttention,
    layersOffloaded: 0,
    layersTotal: layersOfModel(model) + 1,
    modelBuffers: [],
    kvBuffers: [],
    computeBuffers: [],
    cpus: [0, 1],
  };
}

/** A load under the settings of a trial, or under others. */
export function loadUnder(
  plan: Plan,
  planned: ScheduledTrial,
  changes: Partial<Execution> = {},
): NonNullable<ObservedEntry['load']> {
  const { loadNs, contextNs } = aroundTrial;
  const execution = { ...planned.execution, ...changes };
  return { loadNs, contextNs, applied: appliedIn(plan, { ...planned, execution }) };
}

function measure(wallNs: readonly number[], plan: Plan, planned: ScheduledTrial) {
  const { loadNs, contextNs, prepareNs, restNs, harnessNs, idleWaitNs } = aroundTrial;
  const insideNs = wallNs.reduce((sum, ns) => sum + ns + prepareNs, loadNs + contextNs);
  return {
    load: loadUnder(plan, planned),
    repetitions: wallNs.map((ns) => ({ wallNs: ns, prepareNs })),
    processNs: insideNs + restNs,
    harnessNs,
    peakResidentBytes: 1_000_000,
    deviceBefore: deviceState(aroundTrial.readBeforeNs),
    deviceAfter: deviceState(aroundTrial.readAfterNs),
    idleWaitNs,
    log: null,
  };
}

export function deviceState(
  readNs: number,
  otherUse: DeviceState['otherUse'] = 'not-seen',
): DeviceState {
  return { source: 'linux', readNs, readings: {}, otherUse };
}

function campaignEntryOf(plan: Plan) {
  const runnerSourceSha256 = sha256Hex('runner source');
  return {
    type: 'campaign' as const,
    format: 'rooflaw-ledger' as const,
    formatVersion: 1 as const,
    name: plan.name,
    plan,
    planSha256: identityOf(plan),
    protocolSha256: plan.protocolSha256,
    scheduleSeed: plan.scheduleSeed,
    device: 'CPU',
    fingerprint: {
      device: 'CPU',
      deviceDescription: 'Test CPU 3000',
      deviceMemoryBytes: null,
      driver: null,
      cpuModel: 'Test CPU 3000',
      cpuCount: 2,
      memoryBytes: 8_000_000_000,
      operatingSystem: 'Linux',
      kernel: '6.1.0',
    },
    backend: {
      name: 'embedded',
      release: 'v0.4.0',
      commit: null,
      sourceTreeHash: null,
      patches: [],
      libraries: [{ name: 'libggml.so', bytes: 100, sha256: sha256Hex('libggml') }],
      runner: { name: 'runner', bytes: 200, sha256: sha256Hex('runner') },
      runnerSourceSha256,
      description: {
        format: 'rooflaw-runner' as const,
        formatVersion: 1 as const,
        llamaRelease: 'v0.4.0',
        llamaCommit: null,
        sourceTreeHash: null,
        systemInfo: 'AVX2 = 1',
        devices: [
          {
            name: 'CPU',
            description: 'Test CPU 3000',
            type: 'cpu' as const,
            backend: 'CPU',
            memoryBytes: 8_000_000_000,
          },
        ],
        compiler: 'g++ 12',
        operatingSystem: 'Linux',
      },
    },
    program: { version: '0.1.0', gitCommit: null, gitDirty: null },
  };
}

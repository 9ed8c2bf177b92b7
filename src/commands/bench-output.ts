import type { CampaignRecord } from '../analysis/campaign-record.ts';
import { itemKey } from '../analysis/item-key.ts';
import type { CampaignFolder } from '../campaign/locate.io.ts';
import type { Analysis } from '../formats/analysis.ts';
import { isGenerated, type Model } from '../formats/plan.ts';
import { testOf } from '../llama-bench/item-name.ts';
import type { BenchOutput } from '../llama-bench/options/request.ts';
import type { BenchRow } from '../llama-bench/write/bench-row.ts';
import { describeBenchRow } from '../llama-bench/write/describe-bench-row.ts';
import { writeBench } from '../llama-bench/write/write-bench.ts';
import { listItems, listItemsByPhase, type PlannedItem } from '../protocol/schedule.ts';
import { loadAnalysis } from './load-analysis.ts';

/**
 * Writes a finished campaign of files to standard output, as llama-bench would and with what we add.
 * @param typedPaths of the models by their SHA-256, as this command named them: model_filename
 */
export async function writeBenchResult(
  folder: CampaignFolder,
  output: BenchOutput,
  typedPaths: ReadonlyMap<string, string>,
): Promise<Analysis> {
  const { record, analysis } = await loadAnalysis(folder.folder);
  process.stdout.write(writeBench(listBenchRows(record, analysis, typedPaths), output));
  return analysis;
}

/** A row for each item, in the order of the plan. */
export function listBenchRows(
  { campaign, trials }: CampaignRecord,
  analysis: Analysis,
  typedPaths: ReadonlyMap<string, string>,
): BenchRow[] {
  const { plan, fingerprint, device, backend, otherBackends = [] } = campaign;
  const { protocol } = plan;
  const backends = new Map(otherBackends.map(({ label, backend: other }) => [label, other]));
  const keyOf = ({ item, model }: PlannedItem) => itemKey(item, model.sha256);
  const disturbed = countDisturbed(trials);
  const places = new Map(listItemsByPhase(plan).map((planned, at) => [keyOf(planned), at]));
  return listItems(plan).map((planned) => {
    const { item, model, execution } = planned;
    const at = places.get(keyOf(planned))!;
    const found = analysis.items[at]!;
    const ownBackend = backends.get(planned.backend ?? '') ?? backend;
    const means = analysis.trials.flatMap((trial) =>
      trial.item === at && trial.trialMeanNs !== null ? [trial.trialMeanNs] : [],
    );
    const shown = ownBackend.description.devices.find(({ name }) => name === device);
    const isCpu = shown?.type === 'cpu';
    return describeBenchRow({
      build: { commit: ownBackend.commit ?? ownBackend.release, number: null },
      cpuInfo: fingerprint.cpuModel,
      gpuInfo: isCpu ? '' : fingerprint.deviceDescription,
      backends: isCpu || shown === undefined ? [] : [shown.backend],
      model: describeFile(model, typedPaths),
      execution,
      device,
      mainDevice: null,
      test: testOf(item, protocol.decodeSteps),
      startTime: analysis.startedAt,
      trialMeansNs: means,
      ours: {
        representativeNs: found.representativeNs,
        interval: found.interval && {
          lowerNs: found.interval.lowerNs,
          upperNs: found.interval.upperNs,
          coverage: found.interval.coverage,
        },
        processes: found.n,
        failed: found.failed,
        disturbed: disturbed.get(keyOf(planned)) ?? 0,
        stable: found.stable,
        inTrialCvMax: found.inTrialCvMax,
        warmup: protocol.repetitions.warmup,
        kept: protocol.repetitions.kept,
        modelSha256: model.sha256,
        variant: item.variant ?? 'default',
        campaign: campaign.name,
        protocolSha256: plan.protocolSha256,
      },
    });
  });
}

/** Trials during which others were at work, by item. */
function countDisturbed(trials: CampaignRecord['trials']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { item, modelSha256, outcome } of trials) {
    if (!('measured' in outcome) || outcome.measured.otherUse !== 'seen') continue;
    const key = itemKey(item, modelSha256);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function describeFile(model: Model, typedPaths: ReadonlyMap<string, string>) {
  if (isGenerated(model)) throw new Error('bench measures files');
  const { file, family, quantization, parameterCount, weightBytes, sha256 } = model;
  return {
    filename: typedPaths.get(sha256) ?? file,
    type: `${family} ${formatParameters(parameterCount)} ${quantization}`,
    sizeBytes: weightBytes,
    parameterCount,
  };
}

/** 7.2B, 25.9M: about, for a name. */
function formatParameters(count: number): string {
  return count >= 1e9 ? `${(count / 1e9).toFixed(1)}B` : `${(count / 1e6).toFixed(1)}M`;
}

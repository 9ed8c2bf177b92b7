import { judgeAgain, judgeCandidate, judgeGate } from '../analysis/gate.ts';
import type { Gate, GateTest } from '../formats/ab.ts';
import { nameTest } from '../llama-bench/options/tests.ts';
import { formatCount, formatDuration } from '../units.ts';
import { disturbanceOf, readPairs, sequentialOf } from './ab-pairs.ts';
import { deviceOf, markMedian, markSame } from './ab-result.ts';
import { compareSides, describeSide } from './ab-sides.ts';
import { type GateMeasurement, gateAlpha, mostRounds } from './gate-measure.ts';
import { explainVerdict } from './gate-reason.ts';
import type { GateRequest } from './gate-request.ts';

type Limits = Pick<Gate, 'maxSlowdown' | 'timeLimitNs' | 'tookNs'>;

/** What a gate says about what was measured, or why there is nothing to say. */
export function assembleGate(
  measurement: GateMeasurement,
  request: GateRequest,
  tookNs: number,
): Gate {
  const { maxSlowdown, timeLimitNs } = request;
  const limits = { maxSlowdown, timeLimitNs, tookNs };
  switch (measurement.state) {
    case 'measured':
      return judgeMeasured(measurement, request, limits);
    case 'too-short': {
      const { neededNs, rounds } = measurement;
      const reason = `--time ${formatDuration(timeLimitNs)} is too short: nothing can be decided before ${rounds} rounds, which take about ${formatDuration(neededNs)} with the pilot`;
      return gateWithout('inconclusive', reason, limits);
    }
    case 'pilot-failed': {
      const { failed, lines, campaign } = measurement;
      const which = lines.length === 0 ? '' : `: ${lines.join('; ')}`;
      const reason = `${formatCount(failed, 'trial')} of the pilot failed${which}; \`rooflaw analyze ${campaign}\` says how`;
      return gateWithout('broken', reason, limits);
    }
    case 'stopped':
      return gateWithout(
        'broken',
        `stopped before there was a verdict; ${measurement.howToGoOn}`,
        limits,
      );
  }
}

/** A verdict without a measurement. */
export function gateWithout(
  verdict: 'inconclusive' | 'broken',
  reason: string,
  limits: Limits,
): Gate {
  return {
    format: 'rooflaw-gate',
    formatVersion: 1,
    verdict,
    reason,
    ...limits,
    measured: null,
  };
}

function judgeMeasured(
  { record, analysis, plannedRounds, isCutShort }: GateMeasurement & { state: 'measured' },
  request: GateRequest,
  limits: Limits,
): Gate {
  const { tests: asked } = request.shared;
  const base = describeSide(record, 'base', request.a.label);
  const candidate = describeSide(record, 'candidate', request.b.label);
  const { same, different } = compareSides(base, candidate);
  const [again, against] = readPairs(analysis, asked);
  const tests = asked.map((test, index): GateTest => {
    const pairs = {
      again: markMedian(again![index]!.pair),
      candidate: markMedian(against![index]!.pair),
    };
    return {
      name: nameTest(test),
      phase: test.phase,
      tokens: test.tokens,
      depth: test.depth,
      ...markSame(test, base, candidate, different),
      verdict: judgeCandidate(pairs.candidate.interval, request.maxSlowdown),
      fitness: judgeAgain(pairs.again.interval, request.maxSlowdown),
      ...pairs,
    };
  });
  const { timeLimitNs } = request;
  const sequential = sequentialOf(analysis);
  const failedTrials = analysis.progress.failed;
  const { rounds, earliestRounds } = sequential;
  const isTooEarly = rounds < earliestRounds;
  const verdict = failedTrials > 0 ? 'broken' : isTooEarly ? 'inconclusive' : judgeGate(tests);
  const measured: NonNullable<Gate['measured']> = {
    campaign: analysis.name,
    base,
    candidate,
    same,
    different,
    device: deviceOf(analysis),
    alpha: gateAlpha,
    family: sequential.family,
    repetitions: analysis.protocol.repetitions,
    rounds,
    plannedRounds,
    isCutShort,
    failedTrials,
    tests,
    disturbance: disturbanceOf(analysis),
  };
  const reason =
    isTooEarly && verdict === 'inconclusive'
      ? `the time was up after ${formatCount(rounds, 'round')}, and nothing can be decided before ${earliestRounds}; more --time would help`
      : explainVerdict(verdict, measured, { ...limits, timeLimitNs, earliestRounds, mostRounds });
  return { ...gateWithout('broken', reason, limits), verdict, measured };
}

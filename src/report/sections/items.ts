import type { Analysis, ItemAnalysis } from '../../formats/analysis.ts';
import type { Phase } from '../../formats/architecture.ts';
import { html, type Markup } from '../html.ts';
import { describeItem } from '../item-row.ts';

/** The table of items, each phase apart, and what its columns mean. */
export function renderItems({ items, protocol, identity }: Analysis): Markup {
  const missing = listMissing(items);
  return html`${protocol.phases.map((phase) =>
    renderPhase(
      items.filter((item) => item.phase === phase),
      describePhase(phase, protocol.decodeSteps),
    ),
  )}
<p class="small"><b>n</b> valid trials, one process each (+1f: one failed besides). <b>Time</b> median of the trial means. <b>Interval</b> order
statistics of that median; <b>covers</b> what it really covers, for one item. <b>CV</b> of the trial means.
<b>In-trial CV</b> the largest among the kept repetitions of one trial; both with ddof 1. <b>Range</b> (max − min) / median.
<b>Stable</b> range and in-trial CV within the protocol’s limits; no test of equivalence. <b>Max/median</b> the slowest
trial; <b>slow</b> trials above 1.05 × median. [ref] the reference that is watched for drift.</p>
${missing.length > 0 ? html`<p class="small">–: ${missing.join('; ')}.</p>` : ''}
<p class="small">${identity.label}</p>`;
}

function describePhase(phase: Phase, decodeSteps: number): Markup {
  return phase === 'prefill'
    ? html`Prefill: time to process S tokens`
    : html`Decode: time of ${decodeSteps} single-token steps after S tokens`;
}

function renderPhase(items: readonly ItemAnalysis[], caption: Markup): Markup {
  return html`<div class="scroll"><table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Condition</th><th scope="col">n</th><th scope="col">Time</th><th scope="col">Tokens/s</th><th scope="col">Interval</th><th scope="col">Covers</th><th scope="col">CV</th><th scope="col">In-trial CV</th><th scope="col">Range</th><th scope="col">Stable</th><th scope="col">Max/median</th><th scope="col">Slow</th></tr></thead>
<tbody>${items.map(renderRow)}</tbody>
</table></div>
`;
}

function renderRow(item: ItemAnalysis): Markup {
  const row = describeItem(item);
  const stability = item.stable === null ? '' : row.stable;
  return html`<tr><th scope="row">${row.condition}</th><td${item.failed > 0 ? html` class="failed"` : ''}>${row.n}</td><td><b>${row.time}</b></td><td>${row.tokensPerSecond}</td><td>${row.interval}</td><td>${row.coverage}</td><td>${row.cv}</td><td>${row.inTrialCv}</td><td>${row.range}</td><td class="${stability}">${row.stable}</td><td>${row.maxOverMedian}</td><td>${row.slow}</td></tr>
`;
}

/** Each reason for an empty cell once. */
function listMissing(items: readonly ItemAnalysis[]): string[] {
  return [...new Set(items.flatMap(({ missing }) => missing.map(({ reason }) => reason)))];
}

import { formatLimit } from '../../analysis/format-limit.ts';
import type { Analysis } from '../../formats/analysis.ts';
import type { Phase } from '../../formats/architecture.ts';
import type { ItemAnalysis } from '../../formats/item-analysis.ts';
import {
  type ClosureItem,
  describeClosureItem,
  explainSupport,
  listUnanswered,
} from '../closure-words.ts';
import { html, type Markup } from '../html.ts';
import { absent } from '../item-row.ts';
import { chooseTimeUnit, formatIn, formatShare } from '../quantities.ts';
import { renderAnswer } from './items.ts';

/** What the answer rests on, item by item: distances, simultaneous intervals, detection rates. */
export function renderSupport(analysis: Analysis): Markup {
  const { protocol, closure } = analysis;
  const unanswered = listUnanswered(analysis);
  return html`<section>
<h2>What the answer rests on</h2>
${protocol.phases.map((phase) => renderPhase(analysis, phase))}
<p class="small">${explainSupport(closure)}</p>
${unanswered.length > 0 ? html`<p class="small">${absent}: ${unanswered.join('; ')}.</p>` : ''}
</section>`;
}

function renderPhase(analysis: Analysis, phase: Phase): Markup {
  const { items, closure } = analysis;
  const rows = closure.items.filter(({ item }) => items[item]!.phase === phase);
  const changes = listChanges(rows.map(({ item }) => items[item]!));
  return html`<div class="scroll"><table>
<caption>${phase === 'prefill' ? 'Prefill' : 'Decode'}</caption>
<thead><tr><th scope="col" rowspan="2">Condition</th><th scope="col" rowspan="2">Explorable</th><th scope="col" rowspan="2">±interval</th><th scope="col" rowspan="2">Limit</th><th scope="col" rowspan="2">Trials needed</th><th scope="col" rowspan="2">Target from</th><th scope="colgroup" colspan="2">All items at once</th>${
    changes.length > 0
      ? html`<th scope="colgroup" colspan="${changes.length}">Detected when put in</th>`
      : ''
  }</tr>
<tr><th scope="col">Interval</th><th scope="col">Upper/lower</th>${changes.map((change) => html`<th scope="col">${change > 0 ? '+' : ''}${formatLimit(change)}</th>`)}</tr></thead>
<tbody>${rows.map((answer) => renderRow(analysis, answer, changes))}</tbody>
</table></div>
`;
}

function renderRow(analysis: Analysis, answer: ClosureItem, changes: readonly number[]): Markup {
  const item = analysis.items[answer.item]!;
  const row = describeClosureItem(analysis, answer);
  const rates = changes.map((change) => {
    const found = item.injection?.find((one) => one.change === change);
    return html`<td>${found ? formatShare(found.rate) : absent}</td>`;
  });
  const separates = answer.simultaneousSeparates === false ? html` class="failed"` : '';
  return html`<tr><th scope="row">${row.condition}</th>${renderAnswer(row.explorable)}<td>${row.distance}</td><td>${row.limit}</td><td>${row.trialsNeeded}</td><td>${row.smallestTarget}</td><td>${formatSimultaneous(item)}</td><td${separates}>${row.upperOverLower}</td>${rates}</tr>
`;
}

function formatSimultaneous({ simultaneousInterval, representativeNs }: ItemAnalysis): string {
  if (simultaneousInterval === null || representativeNs === null) return absent;
  const unit = chooseTimeUnit(representativeNs);
  const { lowerNs, upperNs } = simultaneousInterval;
  return `${formatIn(unit, lowerNs)}–${formatIn(unit, upperNs)} ${unit.name}`;
}

/** The differences that were put in, from the most negative on. */
function listChanges(items: readonly ItemAnalysis[]): number[] {
  const changes = items.flatMap(({ injection }) => (injection ?? []).map(({ change }) => change));
  return [...new Set(changes)].sort((a, b) => a - b);
}

import type { Analysis } from '../../formats/analysis.ts';
import { formatItem } from '../../formats/architecture.ts';
import {
  allocationLegend,
  describeAllocation,
  listUnadvised,
  summariseAllocation,
} from '../allocation-words.ts';
import { renderFigure } from '../figures/draw.ts';
import { figureOfWarmup } from '../figures/warmup.ts';
import { html, type Markup } from '../html.ts';
import { absent } from '../item-row.ts';
import { adviseWarmup } from '../warmup-words.ts';

/** Advice for a next protocol. It changes nothing in this campaign. */
export function renderAdvice(analysis: Analysis): Markup {
  const { summary, late } = adviseWarmup(analysis);
  const hasTimes = analysis.items.some(({ n }) => n > 0);
  return html`<section>
<h2>Advice for a next protocol</h2>
<p class="small">It changes nothing here: which repetitions count was fixed before anything was measured.</p>
<h3>Warm-up</h3>
<p>${summary}</p>
${late.length > 0 ? html`<ul>${late.map((words) => html`<li>${words}</li>`)}</ul>` : ''}
${hasTimes ? renderFigure(figureOfWarmup(analysis)) : ''}
<h3>Repetitions and processes</h3>
<p>${summariseAllocation(analysis)}</p>
${analysis.allocation.length > 0 ? renderAllocation(analysis) : ''}
</section>`;
}

function renderAllocation({ allocation, items }: Analysis): Markup {
  const unadvised = listUnadvised(allocation);
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Item</th><th scope="col">Kept repetitions</th><th scope="col">Processes</th><th scope="col">Of the time now</th><th scope="col">One repetition</th><th scope="col">One process</th></tr></thead>
<tbody>${allocation.map((one) => {
    const row = describeAllocation(one);
    return html`<tr><th scope="row">${formatItem(items[one.item]!)}</th><td>${row.repetitions}</td><td>${row.processes}</td><td>${row.costShare}</td><td>${row.repetitionCost}</td><td>${row.processCost}</td></tr>
`;
  })}</tbody>
</table></div>
<p class="small">${allocationLegend}</p>
${unadvised.length > 0 ? html`<p class="small">${absent}: ${unadvised.join('; ')}.</p>` : ''}`;
}

import type { Analysis } from '../../formats/analysis.ts';
import { html, type Markup } from '../html.ts';
import { absent } from '../item-row.ts';
import {
  describeComparison,
  describeCourse,
  describeRule,
  listMissingIntervals,
  listSequentialNotes,
  sequentialLegend,
} from '../sequential-words.ts';

/** What the stopping rule decided; nothing where the rounds are fixed. */
export function renderSequential({ sequential, items }: Analysis): Markup {
  if (sequential === null) return html``;
  const hasEValues = sequential.rule.method === 'S1';
  const rows = sequential.comparisons.map((comparison) => describeComparison(comparison, items));
  const missing = listMissingIntervals(sequential);
  return html`<section>
<h2>What was decided on the way</h2>
<p>${describeCourse(sequential)}</p>
<p>${describeRule(sequential)}</p>
<div class="scroll"><table>
<thead><tr><th scope="col">b / a</th><th scope="col">State</th><th scope="col">Decided</th><th scope="col">b</th><th scope="col">a</th><th scope="col">Interval so far</th><th scope="col">After this round</th><th scope="col">Pairs</th>${hasEValues ? html`<th scope="col">e-value</th>` : ''}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr><th scope="row">${row.comparison}</th><td><b>${row.state}</b></td><td>${row.decidedAfter}</td><td>${row.bTime}</td><td>${row.aTime}</td><td>${row.running}</td><td>${row.current}</td><td>${row.pairs}</td>${hasEValues ? html`<td>${row.eValue}</td>` : ''}</tr>
`,
  )}</tbody>
</table></div>
<p class="small">${sequentialLegend}</p>
${missing.length > 0 ? html`<p class="small">${absent}: ${missing.join('; ')}.</p>` : ''}
<ul>${listSequentialNotes(sequential).map((note) => html`<li>${note}</li>`)}</ul>
</section>`;
}

import type { Analysis } from '../../formats/analysis.ts';
import type { Phase } from '../../formats/architecture.ts';
import type { ItemAnalysis } from '../../formats/item-analysis.ts';
import { stateWords } from '../closure-words.ts';
import { html, type Markup } from '../html.ts';
import { absent, describeItem, describeTimed, listMissing } from '../item-row.ts';
import { explainMark } from '../reference-words.ts';

/** The items, each phase apart: their times, then how the trials scatter; and what the columns mean. */
export function renderItems(analysis: Analysis): Markup {
  const { items, protocol, identity, closure } = analysis;
  const missing = listMissing(items);
  const answers = new Map(
    closure.items.map(({ item, state }) => [items[item]!, stateWords[state]]),
  );
  return html`${protocol.phases.map((phase) => [
    renderTimes(analysis, phase, answers),
    renderScatter(analysis, phase),
  ])}
<p class="small"><b>n</b> valid trials, one process each (+1f: one failed besides). <b>Time</b> median of the trial means. <b>Interval</b> order
statistics of that median; <b>covers</b> what it really covers, for one item. <b>±interval</b> its farther end from the
median, in % of the median; no standard deviation. <b>Explorable</b> ±interval within the limit for the target.
<b>CV</b> of the trial means. <b>In-trial CV</b> the largest among the kept repetitions of one trial; both with ddof 1, in % of
the mean. <b>Range</b> (max - min) / median. <b>Stable</b> range and in-trial CV within the protocol’s limits; no test of
equivalence. <b>Max/median</b> the slowest trial; <b>slow</b> trials above 1.05 × median; <b>slow ≤</b> upper bound of
their share (Clopper–Pearson, two-sided 95 %). <b>Speeds</b> whether the trials fall into two groups. ${explainMark(analysis)}.</p>
${missing.length > 0 ? html`<p class="small">${absent}: ${missing.join('; ')}.</p>` : ''}
<p class="small">${identity.label}</p>`;
}

const titleOf = (phase: Phase) => (phase === 'prefill' ? 'Prefill' : 'Decode');

function renderTimes(
  analysis: Analysis,
  phase: Phase,
  answers: ReadonlyMap<ItemAnalysis, string>,
): Markup {
  const items = analysis.items.filter((item) => item.phase === phase);
  const timed = describeTimed(phase, items, analysis.protocol.decodeSteps);
  return html`<div class="scroll"><table>
<caption>${titleOf(phase)}: ${timed}</caption>
<thead><tr><th scope="col">Condition</th><th scope="col">n</th><th scope="col">Time</th><th scope="col">Tokens/s</th><th scope="col">Interval</th><th scope="col">Covers</th><th scope="col">±interval</th><th scope="col">Explorable</th></tr></thead>
<tbody>${items.map((item) => {
    const row = describeItem(item, analysis);
    const explorable = answers.get(item) ?? absent;
    return html`<tr><th scope="row">${row.condition}</th><td${item.failed > 0 ? html` class="failed"` : ''}>${row.n}</td><td><b>${row.time}</b></td><td>${row.tokensPerSecond}</td><td>${row.interval}</td><td>${row.coverage}</td><td>${row.distance}</td>${renderAnswer(explorable)}</tr>
`;
  })}</tbody>
</table></div>
`;
}

function renderScatter(analysis: Analysis, phase: Phase): Markup {
  const items = analysis.items.filter((item) => item.phase === phase);
  return html`<div class="scroll"><table>
<caption>${titleOf(phase)}: how the trials scatter</caption>
<thead><tr><th scope="col">Condition</th><th scope="col">CV</th><th scope="col">In-trial CV</th><th scope="col">Range</th><th scope="col">Stable</th><th scope="col">Max/median</th><th scope="col">Slow</th><th scope="col">Slow ≤</th><th scope="col">Speeds</th></tr></thead>
<tbody>${items.map((item) => {
    const row = describeItem(item, analysis);
    return html`<tr><th scope="row">${row.condition}</th><td>${row.cv}</td><td>${row.inTrialCv}</td><td>${row.range}</td>${renderAnswer(row.stable)}<td>${row.maxOverMedian}</td><td>${row.slow}</td><td>${row.slowUpperBound}</td><td${row.speeds === 'two' ? html` class="no"` : ''}>${row.speeds}</td></tr>
`;
  })}</tbody>
</table></div>
`;
}

/** A cell with yes or no, in the colour of it. */
export function renderAnswer(words: string): Markup {
  return html`<td${words === absent ? '' : html` class="${words}"`}>${words}</td>`;
}

import type { Analysis } from '../../formats/analysis.ts';
import { renderFigure } from '../figures/draw.ts';
import { figureOfSubsets } from '../figures/round-subsets.ts';
import { html, type Markup } from '../html.ts';
import { describeOrderEffect, describeSubsets } from '../round-words.ts';
import { describeSpeeds } from '../speed-words.ts';
import { describeTrends } from '../trend-words.ts';

/** Whether which rounds, what order and what time of measuring mattered, and two speeds. */
export function renderRounds({ roundSubsets, orderEffect, items }: Analysis): Markup {
  const trends = describeTrends(items);
  const speeds = describeSpeeds(items);
  return html`<section>
<h2>What the order of measuring shows</h2>
<h3>Stable flags in fewer rounds</h3>
<p>${describeSubsets(roundSubsets, items.length)}</p>
${roundSubsets.state === 'evaluated' ? renderFigure(figureOfSubsets(roundSubsets, items.length)) : ''}
<h3>Late in a round against early</h3>
<ul>${orderEffect.map((effect) => html`<li><b>${effect.phase}:</b> ${describeOrderEffect(effect)}</li>`)}</ul>
<h3>Late in the campaign against early, item by item</h3>
${renderFound(trends)}
<h3>Two speeds</h3>
${renderFound(speeds)}
</section>`;
}

function renderFound({ summary, found }: { summary: string; found: string[] }): Markup {
  const list = html`<ul>${found.map((words) => html`<li>${words}</li>`)}</ul>`;
  return html`<p>${summary}</p>
${found.length > 0 ? list : ''}`;
}

import type { StepBand } from '../../analysis/steps-band.ts';
import type { TokenAnalysis } from '../../formats/token-analysis.ts';
import { describeDisturbance } from '../disturbance-words.ts';
import { renderFigure } from '../figures/draw.ts';
import { figureOfSteps } from '../figures/steps.ts';
import { html, type Markup } from '../html.ts';

/** What a report has to show of a campaign that timed each decode step. */
export interface ReportedSteps {
  analysis: TokenAnalysis;
  /** One for each item of the analysis. */
  bands: StepBand[];
}

/** The decode step by step, item by item; nothing where no process was observed. */
export function renderSteps({ analysis, bands }: ReportedSteps): Markup {
  const figures = analysis.items.map((item, index) => figureOfSteps(item, bands[index]!));
  const drawn = figures.filter((figure) => figure !== null);
  if (drawn.length === 0) return html``;
  const saidAbove = describeDisturbance(analysis);
  const warnings = analysis.warnings.filter((words) => words !== saidAbove);
  return html`<section>
<h2>Step by step</h2>
${warnings.map((words) => html`<p class="label marked warning">${words}</p>`)}
<p>Every decode step was timed. Percentiles, the time to the first token and the slow steps one by one: <code>rooflaw tokens ${analysis.name}</code></p>
${drawn.map(renderFigure)}
</section>`;
}

import { formatLimit } from '../analysis/format-limit.ts';
import type { Analysis } from '../formats/analysis.ts';
import { formatDuration } from '../units.ts';
import { describeDisturbance } from './disturbance-words.ts';
import { describeMarkedDrift } from './drift-words.ts';
import { figureOfCost } from './figures/cost.ts';
import { renderFigure } from './figures/draw.ts';
import { figureOfHeatMap } from './figures/heat-map.ts';
import { figureOfReference } from './figures/reference.ts';
import { figureOfTrialMeans } from './figures/trial-means.ts';
import { fewestVariantsOfHeatMap, listHeatMaps } from './heat-map.ts';
import { html, Markup } from './html.ts';
import { renderAdvice } from './sections/advice.ts';
import { renderClosure } from './sections/closure.ts';
import { renderAsked, renderIdentity, renderMeasured, renderRepeat } from './sections/context.ts';
import { renderCost, renderDrift, renderHappenings } from './sections/course.ts';
import { renderItems } from './sections/items.ts';
import { renderRounds } from './sections/rounds.ts';
import { renderSentences } from './sections/sentences.ts';
import { renderSequential } from './sections/sequential.ts';
import { type ReportedSteps, renderSteps } from './sections/steps.ts';
import { renderSupport } from './sections/support.ts';
import { style } from './style.ts';

/** Nothing may be fetched or run: the page is only its own markup and style. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * One self-contained page about a campaign, with no scripts and nothing to fetch. It reads the
 * analysis alone; words of others are escaped.
 * @param steps of a campaign that timed each decode step
 */
export function renderReport(analysis: Analysis, steps: ReportedSteps | null = null): string {
  const hasTimes = analysis.items.some(({ n }) => n > 0);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="rooflaw ${analysis.identity.program.version}">
<title>${analysis.name}: Rooflaw report</title>
<style>${new Markup(style)}</style>
</head>
<body>
${renderHead(analysis)}
<main>
${renderClosure(analysis)}
${renderAsked(analysis)}
${renderMeasured(analysis)}
<section>
<h2>What came out</h2>
${renderItems(analysis)}
${
  hasTimes
    ? [
        renderHeatMaps(analysis),
        renderFigure(figureOfTrialMeans(analysis)),
        renderFigure(figureOfReference(analysis)),
        renderDrift(analysis),
      ]
    : html`<p>No trial has a valid time, so there is nothing to draw.</p>`
}
</section>
${steps === null ? '' : renderSteps(steps)}
${renderSequential(analysis)}
${renderSupport(analysis)}
${renderRounds(analysis)}
${renderAdvice(analysis)}
<section>
<h2>What it cost</h2>
${analysis.cost.totalNs > 0 ? renderFigure(figureOfCost(analysis)) : ''}
${renderCost(analysis)}
</section>
<section>
<h2>What this does not show</h2>
${renderSentences(analysis.caveats)}
</section>
${renderHappenings(analysis)}
${renderIdentity(analysis)}
${renderRepeat(analysis)}
</main>
</body>
</html>
`;
  return page.text;
}

/** Only where there are variants enough to choose from, and only of tests with a time. */
function renderHeatMaps(analysis: Analysis): Markup[] {
  if ((analysis.identity.variants?.length ?? 0) < fewestVariantsOfHeatMap) return [];
  return listHeatMaps(analysis)
    .filter(({ familySize }) => familySize > 0)
    .map((map) => renderFigure(figureOfHeatMap(map)));
}

function renderHead(analysis: Analysis) {
  const { name, startedAt, declaration, identity, progress, items, cost, closure } = analysis;
  const disturbance = describeDisturbance(analysis);
  const judged = items.filter(({ stable }) => stable !== null);
  const stable = judged.filter((item) => item.stable === true).length;
  const nouns = items.length === 1 ? 'item' : 'items';
  const facts: [string, string][] = [
    [`${items.length}`, nouns],
    [`${progress.observed} of ${progress.planned}`, 'trials observed'],
    [`${progress.failed}`, 'failed'],
    [`${stable} of ${judged.length}`, `${nouns} with the stable flag`],
    [
      `${closure.family.explorable} of ${items.length}`,
      `${nouns} explorable for ${formatLimit(closure.targetDifference)}`,
    ],
    [formatDuration(cost.totalNs), 'of hardware time'],
  ];
  return html`<header>
${[disturbance, describeMarkedDrift(analysis)].map((words) => (words === null ? '' : html`<p class="label marked warning">${words}</p>`))}
<p class="kind">Rooflaw campaign, begun ${startedAt.slice(0, 16).replace('T', ' ')} UTC</p>
<h1>${name}</h1>
<p class="question">${declaration.question}</p>
<p class="label${identity.isV1 ? '' : ' not-v1'}">${identity.label}</p>
<ul class="facts">${facts.map(([value, words]) => html`<li><b>${value}</b><span>${words}</span></li>`)}</ul>
</header>`;
}

import { type Analysis, isByPerson } from '../../formats/analysis.ts';
import { formatItem } from '../../formats/architecture.ts';
import { formatCount, formatDuration } from '../../units.ts';
import { costWords, whatCostHolds } from '../cost-words.ts';
import { describeDrift } from '../drift-words.ts';
import { html, type Markup } from '../html.ts';
import { nameFirstItem } from '../reference-words.ts';

/** The drift in words; the figure stands beside it. */
export function renderDrift(analysis: Analysis): Markup {
  return html`${analysis.drift.map((phase) => {
    const name = nameFirstItem(analysis, phase.phase);
    const isMarked = phase.state === 'evaluated' && phase.exceeded;
    return html`<p class="drift${isMarked ? ' label marked' : ''}"><b>Drift, ${name === null ? '' : `${name} `}${phase.phase}:</b> ${describeDrift(phase, analysis)}.</p>`;
  })}`;
}

/** The parts of the cost; legend of its figure. */
export function renderCost({ cost }: Analysis): Markup {
  const rows = cost.parts.filter(({ ns }) => ns !== 0);
  return html`<div class="scroll cost"><table>
<thead><tr><th scope="col">Part</th><th scope="col">Time</th><th scope="col">Share</th></tr></thead>
<tbody>${rows.map(
    ({ part, ns, share }) =>
      html`<tr><th scope="row"><span class="swatch" style="background:var(--cost-${part})"></span>${costWords[part]}</th><td>${formatDuration(ns)}</td><td>${(share * 100).toFixed(1)} %</td></tr>`,
  )}
<tr><th scope="row"><b>whole hardware time</b></th><td><b>${formatDuration(cost.totalNs)}</b></td><td></td></tr></tbody>
</table></div>
<p class="small">${whatCostHolds}</p>
${cost.attemptsOfUnknownCost > 0 ? html`<p class="small">${formatCount(cost.attemptsOfUnknownCost, 'interrupted attempt')} took a time that nobody knows; it is not in the sum.</p>` : ''}`;
}

/** What happened on the way: failures, sessions, notes. */
export function renderHappenings({ failures, items, sessions, notes, trials }: Analysis): Markup {
  const repeated = trials.filter(({ attempts }) => attempts > 1).length;
  const byPersons = notes.filter(isByPerson);
  const byProgram = notes.filter((note) => !isByPerson(note));
  return html`<section>
<h2>What happened on the way</h2>
${
  failures.length === 0
    ? html`<p>No trial failed.</p>`
    : html`<h3>Failed trials</h3>
<ul>${failures.map(({ trial, item, code, message }) => html`<li>Trial ${trial}, ${formatItem(items[item]!)}: <b>${code}</b>, ${message}</li>`)}</ul>`
}
<h3>Sessions</h3>
<ul>${sessions.map(
    ({ session, time, trials: count, differences, tornLine }) =>
      html`<li>Session ${session + 1} began ${formatTimestamp(time)} and has ${count} trials. ${
        differences.length === 0
          ? session === 0
            ? ''
            : 'The environment was that of the start.'
          : html`Different from the start: ${differences.join('; ')}.`
      }${tornLine ? ' A torn last line of the session before was set aside.' : ''}</li>`,
  )}</ul>
${repeated > 0 ? html`<p>Trials that were interrupted and begun again: ${repeated}.</p>` : ''}
${byProgram.length === 0 ? '' : html`<h3>Noted by the program</h3>${listNotes(byProgram)}`}
<h3>After the fact</h3>
${
  byPersons.length === 0
    ? html`<p>Nothing was noted after the plan was fixed.</p>`
    : listNotes(byPersons)
}
</section>`;
}

function listNotes(notes: Analysis['notes']): Markup {
  return html`<ul>${notes.map(({ time, afterTrials, text }) => html`<li>${formatTimestamp(time)}, after ${formatCount(afterTrials, 'trial')}: ${text}</li>`)}</ul>`;
}

/** `2026-01-31 12:34:56 UTC` from ISO 8601. */
function formatTimestamp(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}

import type { Analysis } from '../../formats/analysis.ts';
import {
  answerQuestion,
  askQuestion,
  describePrice,
  describeTarget,
  explored,
  listSentences,
  nameReopening,
} from '../closure-words.ts';
import { html, type Markup } from '../html.ts';
import { renderSentences } from './sentences.ts';

/** Can the target be explored: the answer, what it would take, and what it does not show. */
export function renderClosure(analysis: Analysis): Markup {
  const { closure } = analysis;
  const price = describePrice(analysis);
  return html`<section>
<h2>${askQuestion(closure)}</h2>
<p class="answer label${closure.family.state === 'explorable' ? '' : ' open'}">${answerQuestion(closure)}</p>
<p class="small">${explored}</p>
${price === null ? '' : html`<p>${price}</p>`}
${closure.targetSource === 'command-line' ? html`<p class="warning">${describeTarget(analysis)}</p>` : ''}
${renderSentences(listSentences(analysis))}
<h3>What the answer does not show</h3>
${renderSentences(closure.doesNotShow)}
<h3>Reasons to reopen the diagnosis</h3>
${renderReopening(analysis)}
</section>`;
}

function renderReopening(analysis: Analysis): Markup {
  return html`<div class="scroll"><table class="words">
<thead><tr><th scope="col">Condition</th><th scope="col">Met</th><th scope="col">Why</th></tr></thead>
<tbody>${analysis.closure.reopening.map((one) => {
    const { met, why } = one;
    const state = met === null ? 'cannot be judged' : met ? 'yes' : 'no';
    return html`<tr><th scope="row">${nameReopening(analysis, one)}</th><td${met === true ? html` class="failed"` : ''}>${state}</td><td>${why}</td></tr>
`;
  })}</tbody>
</table></div>`;
}

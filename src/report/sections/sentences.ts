import { html, type Markup } from '../html.ts';

/**
 * Sentences as a list. A command or an option in backticks is code, other backticks are somebody's own,
 * and no number is torn from its `%`.
 */
export function renderSentences(sentences: readonly string[]): Markup {
  return html`<ul class="caveats">${sentences.map((sentence) => html`<li>${renderSentence(sentence)}</li>`)}</ul>`;
}

function renderSentence(sentence: string): Markup {
  const parts = sentence.replace(/(\d) %/g, '$1\u{a0}%').split(/`((?:rooflaw |--)[^`]*)`/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

import { html, type Markup } from '../html.ts';

/** Terms and what they are, as a list. */
export function renderDefinitions(entries: readonly [string, string | Markup][]): Markup {
  return html`<dl>${entries.map(([term, words]) => html`<dt>${term}</dt><dd>${words}</dd>`)}</dl>`;
}

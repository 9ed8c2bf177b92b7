import { toPrintable } from '../printable.ts';

/** Markup that is safe to put in a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Part[];

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return toPrintable(text).replace(/[&<>"']/g, (character) => entities[character]!);
}

/** A template whose values are escaped unless they are markup already; lists are joined. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = strings.map((string, at) => (at === 0 ? '' : render(parts[at - 1]!)) + string);
  return new Markup(text.join(''));
}

function render(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part));
}

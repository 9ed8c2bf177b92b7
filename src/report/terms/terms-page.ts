import { subjects } from './all-terms.ts';
import type { Term } from './term.ts';

/** All terms as the page docs/terms.md. */
export function renderTermsPage(): string {
  const blocks = [
    '# Terms',
    'Every word that stands in a table of rooflaw: what it means, what it is not, its rule, and where it comes from. `rooflaw explain TERM` prints the same; `rooflaw explain` lists all.',
    ...subjects.flatMap(({ title, terms }) => [`## ${title}`, ...terms.flatMap(renderTerm)]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderTerm({
  name,
  aliases,
  meaning,
  senses = {},
  isNot,
  rule,
  source,
  related,
}: Term): string[] {
  const lines = [
    ...Object.entries(senses).map(([command, text]) => `* In ${command}: ${escapeMarkdown(text)}`),
    `* Is not: ${escapeMarkdown(isNot)}`,
    ...(rule === null ? [] : [`* Rule: ${escapeMarkdown(rule)}`]),
    `* From: ${linkPages(escapeMarkdown(source))}`,
    `* See: ${related.map(escapeMarkdown).join(', ')}`,
    ...(aliases.length === 0 ? [] : [`* Also: ${aliases.map(escapeMarkdown).join(', ')}`]),
  ];
  return [`### ${escapeMarkdown(name)}`, escapeMarkdown(meaning), lines.join('\n')];
}

/** Characters that Markdown would take for its own. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_<[\]#]/g, '\\$&');
}

function linkPages(source: string): string {
  return source.replaceAll(/docs\/([\w-]+\.md)/g, '[$1]($1)');
}

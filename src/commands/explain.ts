import { type Command, Option } from 'commander';
import { RooflawError } from '../errors.ts';
import { formatJson } from '../printable.ts';
import { subjects } from '../report/terms/all-terms.ts';
import { findNearest, findTerm } from '../report/terms/find-term.ts';
import { formatAllTerms, formatTerm } from '../report/terms/format-terms.ts';
import type { Term } from '../report/terms/term.ts';
import { renderTermsPage } from '../report/terms/terms-page.ts';
import { describeOutput } from './output-terminal.ts';

interface ExplainOptions {
  json: boolean;
  markdown: boolean;
}

export function registerExplain(program: Command): void {
  program
    .command('explain')
    .description(
      'Say what a word in a table means, what it is not, and by which rule it is worked out.',
    )
    .argument('[term...]', 'a heading, a flag or another word of an output; without it all')
    .option('--json', 'as JSON', false)
    .addOption(new Option('--markdown', 'docs/terms.md').default(false).hideHelp())
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw explain stable
  $ rooflaw explain '(g)'
  $ rooflaw explain two speeds
  $ rooflaw explain 'tokens/s a'

Case, hyphens, brackets, commas and the plural do not matter; write it as it stands in the table.

Exit status: 0 explained, 2 no such term (the nearest are named)`,
    )
    .action((words: readonly string[], options: ExplainOptions) => {
      process.stdout.write(explain(words.join(' '), options));
    });
}

function explain(word: string, { json, markdown }: ExplainOptions): string {
  if (markdown) return renderTermsPage();
  const term = word.trim() === '' ? null : requireTerm(word);
  if (json) {
    const terms = subjects.flatMap((subject) =>
      subject.terms
        .filter((one) => term === null || one === term)
        .map((one) => ({ subject: subject.title, ...one })),
    );
    return formatJson({ format: 'rooflaw-terms', formatVersion: 1, terms });
  }
  const terminal = describeOutput();
  return term === null ? formatAllTerms(terminal) : formatTerm(term, terminal);
}

const mostSuggestions = 5;

function requireTerm(word: string): Term {
  const term = findTerm(word);
  if (term !== null) return term;
  const nearest = findNearest(word, mostSuggestions).map(({ name }) => name);
  throw new RooflawError('not-found', `there is no term "${word}"`, {
    hint:
      nearest.length === 0
        ? 'rooflaw explain lists all'
        : `${nearest.join(', ')}; rooflaw explain lists all`,
  });
}

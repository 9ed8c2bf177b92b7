import { isByPerson } from '../formats/analysis.ts';
import { repetitionColumnsOf } from '../formats/repetition-table.ts';
import { stepColumns } from '../formats/step-table.ts';
import type { TableColumn } from '../formats/strict-csv.ts';
import { trialColumnsOf } from '../formats/trial-table.ts';
import { asText } from './as-text.ts';
import { describeData, licenseUrl, type PublicationFacts, versionOf, withheld } from './facts.ts';
import { describeSubjects } from './subjects.ts';
import { timesSteps } from './tabulate-steps.ts';

/** What a stranger needs: what this is, how to check it, what each column holds. */
export function describeFolder(facts: PublicationFacts): string {
  const { analysis, course, ledger, license, title, programVersion } = facts;
  const { protocol, identity, declaration, progress } = analysis;
  const version = versionOf(analysis);
  const hasSteps = timesSteps(protocol);
  const licence =
    license === null
      ? 'No licence was stated: ask the publisher before you use it further.'
      : `[${license}](${licenseUrl(license)})`;
  const incomplete = progress.complete
    ? ''
    : `\nThe campaign was not complete when it was published: ${progress.observed + progress.failed} of ${progress.planned} trials had an outcome.\n`;
  return `# ${asText(title)}

${asText(describeData(facts))}
${incomplete}
* Question, declared before the first trial: ${asText(declaration.question)}
* Rules: ${asText(identity.label)}
* Protocol \`${protocol.name}\`, identity \`${facts.protocolSha256}\`
* Plan identity \`${facts.planSha256}\`
* Published ${facts.publishedAt.slice(0, 10)} by Rooflaw ${programVersion}, from lines 1 to ${ledger.lines} of the campaign’s ledger; the SHA-256 of the last of them is \`${ledger.lastLineSha256}\`
* Licence: ${licence}
${describeWords(analysis)}
${describeSubjects(analysis.identity)}## While it was measured

${course.map((line) => `* ${asText(line)}`).join('\n')}

## Files

| file | what |
|---|---|
| \`trials.csv\` | one row a trial that was begun |
| \`repetitions.csv\` | every repetition of every observed trial |
${hasSteps ? '| `steps.csv` | every decode step of every repetition |\n' : ''}| \`analysis.json\` | what the numbers say, and what they do not show |
| \`protocol.json\`, \`plan.json\` | how it was measured, and what was declared before |
| \`datapackage.json\`, \`croissant.json\` | data descriptions (Data Package 2, Croissant 1.0) |
| \`SHA256SUMS\` | hashes of all other files |

## Check it

\`\`\`sh
sha256sum -c SHA256SUMS
rooflaw verify .      # hashes; every trial mean from repetitions.csv; analysis.json from the tables
rooflaw analyze .     # the table: the same items as in analysis.json
rooflaw verify . --against PATH/TO/ledger.ndjson    # for who has the ledger: every value from the raw repetitions
\`\`\`

## Columns of trials.csv

${describeColumns(trialColumnsOf(version))}

## Columns of repetitions.csv

${describeColumns(repetitionColumnsOf(version))}
${hasSteps ? `\n## Columns of steps.csv\n\n${describeColumns(stepColumns)}\n` : ''}
A trial mean is the mean of its kept repetitions, without rounding but that of the last digit. Decimals are the shortest
that read back as the same double. What tells one machine or person from another is left out.
`;
}

function describeWords({ notes, failures }: PublicationFacts['analysis']): string {
  const words = [...notes.map(({ text }) => text), ...failures.map(({ message }) => message)];
  if (words.includes(withheld)) {
    return '* The words of notes and failure messages were withheld; how many there were, and when, stands in `analysis.json`.\n';
  }
  const byPersons = notes.filter(isByPerson).length;
  const ofProgram = '* What the program noted on the way stands in `analysis.json`.\n';
  const ofPersons =
    '* Notes that were written after the plan was fixed stand in `analysis.json`.\n';
  return `${byPersons < notes.length ? ofProgram : ''}${byPersons > 0 ? ofPersons : ''}`;
}

function describeColumns(columns: readonly TableColumn[]): string {
  const rows = columns.map(({ name, type, unit, description, values }) => {
    const list = values === undefined ? '' : ` One of ${values.join(', ')}.`;
    return `| \`${name}\` | ${type} | ${unit ?? ''} | ${description}${list} |`;
  });
  return ['| column | type | unit | what |', '|---|---|---|---|', ...rows].join('\n');
}

import { type Command, InvalidArgumentError } from 'commander';
import { analyzeCampaign } from '../analysis/analyze.ts';
import { collectCampaign } from '../analysis/collect.ts';
import { locateCampaign } from '../campaign/locate.io.ts';
import { RooflawError, throwFaults } from '../errors.ts';
import type { LedgerEntry } from '../formats/ledger.ts';
import { verifyLedger } from '../ledger/read.io.ts';
import { toPrintable } from '../printable.ts';
import { hashShippedProtocols } from '../protocol/shipped.io.ts';
import { assemblePublication, withholdWords } from '../publication/assemble.ts';
import {
  defaultTitle,
  type LedgerPart,
  type PublicationFacts,
  type PublishedFile,
} from '../publication/facts.ts';
import {
  describeFinding,
  findIdentifiers,
  type Identifier,
} from '../publication/find-identifiers.ts';
import { readKnownIdentifiers } from '../publication/known-identifiers.io.ts';
import { findAmbiguousItems } from '../publication/tabulate.ts';
import { tabulateSteps } from '../publication/tabulate-steps.ts';
import { writeNewFolder } from '../publication/write-folder.io.ts';
import { describeCourse } from '../report/course-words.ts';
import { formatCount } from '../units.ts';
import { describeProgram } from './program-version.ts';

interface PublishOptions {
  out: string;
  license?: string;
  title?: string;
  allow: string[];
  withholdWords: boolean;
}

export function registerPublish(program: Command): void {
  program
    .command('publish')
    .description('Write what a campaign’s ledger holds as public tables that a stranger can check.')
    .argument('<campaign>', 'name, folder or ledger')
    .requiredOption('--out <folder>', 'a new folder', parseFolder)
    .option('--license <spdx>', 'an SPDX identifier such as CC-BY-4.0', parseLicense)
    .option('--title <text>', 'one line for the data descriptions', parseTitle)
    .option(
      '--allow <text>',
      'exactly this text is no identifier, although it looks like one; may be repeated',
      (text: string, earlier: string[]) => [...earlier, text],
      [],
    )
    .option('--withhold-words', 'leave out the text of notes and of failure messages', false)
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw publish pocket --out pocket-public --license CC-BY-4.0

Device identifiers, names of machines and people, and paths are left out; every written file is
then searched for them, and when one is found nothing is written (docs/publish.md).

Exit status: 0 written, 2 no such campaign, the folder exists or an identifier was found, 4 not
writable, 5 the ledger is not as it was written`,
    )
    .action(async (campaign: string, options: PublishOptions) => {
      await publish(campaign, options);
      process.stdout.write(`${toPrintable(options.out)}\n`);
    });
}

async function publish(campaign: string, options: PublishOptions): Promise<void> {
  const { entries, ledger } = await readSoundLedger(locateCampaign(campaign).ledger);
  const record = collectCampaign(entries);
  const { plan, planSha256, protocolSha256 } = record.campaign;
  if (record.trials.length === 0) {
    throw new RooflawError('invalid-input', 'no trial was begun, so there is nothing to publish', {
      hint: 'run the plan first',
    });
  }
  throwFaults('the public table cannot hold this campaign', findAmbiguousItems(plan));
  const whole = analyzeCampaign(record, hashShippedProtocols());
  const analysis = options.withholdWords ? withholdWords(whole) : whole;
  const facts: PublicationFacts = {
    ...{ analysis, course: describeCourse(analysis), planSha256, protocolSha256, ledger },
    title: options.title ?? defaultTitle(analysis),
    license: options.license ?? null,
    publishedAt: new Date().toISOString(),
    programVersion: (await describeProgram()).version,
  };
  const known = [...(await readKnownIdentifiers()), ...identifiersOf(entries)];
  const files = assemblePublication(record, tabulateSteps(record, entries), facts);
  await writeNewFolder(options.out, files, (written) =>
    refuseIdentifiers(written, known, options.allow),
  );
  if (options.license === undefined) {
    process.stderr.write(
      'warning: no licence is stated, so nobody may use the data further: state one with --license\n',
    );
  }
  if (!analysis.progress.complete) {
    process.stderr.write('warning: the campaign is not complete; the README says so\n');
  }
}

/** @throws RooflawError `ledger-broken` with every fault: only sound ledgers are published */
async function readSoundLedger(
  path: string,
): Promise<{ entries: LedgerEntry[]; ledger: LedgerPart }> {
  const entries: LedgerEntry[] = [];
  const { faults, head } = await verifyLedger(path, (entry) => entries.push(entry));
  if (faults.length > 0) {
    throw new RooflawError('ledger-broken', `${path} is not as it was written`, {
      faults,
      hint: 'only a sound ledger is published; look for a copy that is whole',
    });
  }
  return { entries, ledger: { lines: head.length, lastLineSha256: head.sha256 } };
}

/** What the ledger holds that tells one machine from another. */
function identifiersOf(entries: readonly LedgerEntry[]): Identifier[] {
  return entries.flatMap((entry) => {
    if (entry.type !== 'campaign' && entry.type !== 'session') return [];
    const texts = [
      { kind: 'specimen hash', text: entry.specimenSha256 ?? null },
      { kind: 'boot id', text: entry.type === 'session' ? entry.bootId : null },
    ];
    return texts.flatMap(({ kind, text }) => (text === null ? [] : [{ kind, text }]));
  });
}

const printedFindings = 20;

function refuseIdentifiers(
  files: readonly PublishedFile[],
  known: readonly Identifier[],
  allowed: readonly string[],
): void {
  const findings = files.flatMap((file) => findIdentifiers(file, known, allowed));
  if (findings.length === 0) return;
  const count = formatCount(findings.length, 'place');
  throw new RooflawError('invalid-input', `nothing was written: ${count} must not be published`, {
    faults: findings.slice(0, printedFindings).map(describeFinding),
    hint: 'leave notes and failure messages out with --withhold-words; for what is no identifier, look at it and say so with --allow TEXT (docs/publish.md)',
  });
}

function parseFolder(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('it must name a folder');
}

function parseLicense(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(text)) return text;
  throw new InvalidArgumentError('an SPDX identifier has letters, digits, ".", "+" and "-" only');
}

function parseTitle(text: string): string {
  if (/\S/.test(text) && !/\p{Cc}/u.test(text)) return text;
  throw new InvalidArgumentError('a title is one line of words');
}

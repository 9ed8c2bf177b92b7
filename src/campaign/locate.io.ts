import { existsSync, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Fault, RooflawError, throwFaults } from '../errors.ts';
import { nameSchema } from '../formats/architecture.ts';
import { cutText } from '../formats/strict-csv.ts';

/** The files of one campaign. */
export interface CampaignFolder {
  name: string;
  folder: string;
  plan: string;
  ledger: string;
  logs: string;
  report: string;
  lock: string;
}

/** Where campaigns lie: in the folder where the user works. */
export const campaignsFolder = 'campaigns';

/**
 * Where a campaign of this name lies or will lie. The folder may be a link of the user's own, to another
 * disk say; a link inside it would lead what is measured out of it, so there may be none.
 * @throws RooflawError `invalid-input` for a name or a link that leads elsewhere
 */
export function folderOfCampaign(name: string, parent: string = campaignsFolder): CampaignFolder {
  if (!nameSchema.safeParse(name).success) {
    throw new RooflawError('invalid-input', `"${name}" cannot be the name of a campaign`, {
      hint: 'use 1 to 64 letters, digits, ".", "_" or "-", starting with a letter or digit',
    });
  }
  const found = describeFolder(join(parent, name));
  throwFaults(`campaign ${name}`, findLinks(found));
  return found;
}

/** What a campaign is written to and is a symbolic link. */
function findLinks({ plan, ledger, logs, lock }: CampaignFolder): Fault[] {
  return [plan, ledger, logs, lock]
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    .map((where) => ({
      where,
      what: 'is a symbolic link, and nothing is written through one',
      hint: 'put the file itself there; the whole folder of a campaign may be a link',
    }));
}

/**
 * Finds a campaign by its name, its folder or its ledger. What has a separator in it is a path and is
 * looked for nowhere else; a name is that of a campaign of this folder first.
 * @throws RooflawError `not-found`; `invalid-input` where it could be either of two, or a file is no ledger
 */
export function locateCampaign(nameOrPath: string): CampaignFolder {
  const found = findCampaigns(nameOrPath);
  const [campaign, other] = found;
  if (other !== undefined) {
    throw new RooflawError('invalid-input', `"${cutText(nameOrPath, 80)}" is the name of two`, {
      hint: `say which: ${found.map(({ folder }) => (/[/\\]/.test(folder) ? folder : `./${folder}`)).join(' or ')}`,
    });
  }
  if (campaign !== undefined) return campaign;
  if (lookAt(nameOrPath)?.isFile()) {
    throw new RooflawError('invalid-input', `${cutText(nameOrPath, 80)} is no ledger.ndjson`, {
      hint: 'logs, plan and seals lie beside a ledger: put it into a folder of its own under that name',
    });
  }
  throw new RooflawError('not-found', `there is no campaign "${cutText(nameOrPath, 80)}"`, {
    hint: '`rooflaw status` lists the campaigns of this folder; a path to one works too',
  });
}

/** Whether this names a campaign, its folder or its ledger, and not a table of trials. */
export function hasLedger(nameOrPath: string): boolean {
  return findCampaigns(nameOrPath).length > 0;
}

/** Two at most: a campaign of this name, and a folder of it that lies here. */
function findCampaigns(nameOrPath: string): CampaignFolder[] {
  const isPath = /[/\\]/.test(nameOrPath) || /^\.*$/.test(nameOrPath);
  const places = isPath ? [nameOrPath] : [join(campaignsFolder, nameOrPath), nameOrPath];
  const found = places.flatMap((place) => {
    const status = lookAt(place);
    if (status === null) return [];
    const found = describeFolder(status.isDirectory() ? place : dirname(place));
    const isIt = status.isDirectory() || basename(place) === basename(found.ledger);
    return isIt && existsSync(found.ledger) ? [found] : [];
  });
  const isOne = new Set(found.map(({ folder }) => realpathSync(folder))).size === 1;
  return isOne ? found.slice(0, 1) : found;
}

/** null: nothing of this name that can be seen, if it is a name at all. */
function lookAt(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function describeFolder(folder: string): CampaignFolder {
  return {
    name: basename(resolve(folder)),
    folder,
    plan: join(folder, 'plan.json'),
    ledger: join(folder, 'ledger.ndjson'),
    logs: join(folder, 'logs'),
    report: join(folder, 'report.html'),
    lock: join(folder, '.lock'),
  };
}

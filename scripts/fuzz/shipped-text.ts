import { readdirSync, readFileSync } from 'node:fs';
import { toBytes } from './target.ts';

const root = new URL('../../', import.meta.url);

/** A file of this repository as text. */
export const readShipped = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Every file of a folder of this repository. */
export const readAllShipped = (folder: string): Uint8Array[] =>
  readdirSync(new URL(folder, root))
    .sort()
    .map((name) => readFileSync(new URL(`${folder}/${name}`, root)));

/** The first lines of a file, which are a whole one. */
export const firstLines = (path: string, count: number): Uint8Array =>
  firstLinesOf(readShipped(path), count);

/** The same of a text. */
export const firstLinesOf = (text: string, count: number): Uint8Array =>
  toBytes(`${text.split('\n', count).join('\n')}\n`);

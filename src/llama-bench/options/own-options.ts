import type { Fault } from '../../errors.ts';
import { nameSchema } from '../../formats/architecture.ts';
import { protocolSchema } from '../../formats/protocol.ts';
import { formatWhole } from '../../units.ts';
import { parseDurationNs } from './duration.ts';
import type { OwnOptions } from './request.ts';
import { quote } from './value-lists.ts';

type TextsOf = (option: string) => readonly string[];

const { processesPerItem, repetitions } = protocolSchema.shape;

export function readOwnOptions(textsOf: TextsOf, faults: Fault[]): OwnOptions {
  const last = (option: string) => textsOf(option).at(-1) ?? null;
  const isGiven = (option: string) => textsOf(option).length > 0;
  const count = (option: string, schema: { minValue: number | null; maxValue: number | null }) =>
    readCount(option, last(option), schema, faults);
  const nonEmpty = (option: string) => {
    for (const text of textsOf(option)) {
      if (text === '') faults.push({ where: option, what: 'is empty' });
    }
    return last(option);
  };
  const warmup = count('--warmup', repetitions.shape.warmup);
  if (isGiven('--no-warmup') && warmup !== null && warmup > 0) {
    faults.push({ where: '--no-warmup', what: `contradicts --warmup ${warmup}` });
  }
  return {
    budgetNs: readBudget(last('--budget'), faults),
    processes: count('--processes', processesPerItem),
    warmup: isGiven('--no-warmup') ? 0 : warmup,
    kept: count('--kept', repetitions.shape.kept),
    name: readName(last('--name'), faults),
    backends: nonEmpty('--backend') === null ? [] : [...textsOf('--backend')],
    device: readDevice(textsOf('-dev'), faults),
    protocol: nonEmpty('--protocol'),
    assumeYes: isGiven('--yes'),
  };
}

/** -r, which must be what --kept says if both are given: repetitions inside a process. */
export function readRepetitions(
  textsOf: TextsOf,
  kept: number | null,
  faults: Fault[],
): number | null {
  const given = readCount('-r', textsOf('-r').at(-1) ?? null, repetitions.shape.kept, faults);
  if (given !== null && kept !== null && given !== kept) {
    const what = `${given} and --kept ${kept} are both the repetitions kept in a process`;
    faults.push({
      where: '-r',
      what,
      hint: 'give one of them; --processes says how many processes',
    });
  }
  return given;
}

function readCount(
  option: string,
  text: string | null,
  { minValue, maxValue }: { minValue: number | null; maxValue: number | null },
  faults: Fault[],
): number | null {
  if (text === null) return null;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= minValue! && value <= maxValue!) return value;
  const limits = `from ${formatWhole(minValue!)} to ${formatWhole(maxValue!)}`;
  faults.push({ where: option, what: `${quote(text)} must be a whole number ${limits}` });
  return null;
}

function readBudget(text: string | null, faults: Fault[]): number | null {
  if (text === null) return null;
  const ns = parseDurationNs(text);
  if (ns === null) {
    faults.push({
      where: '--budget',
      what: `${quote(text)} is no time above 0 with its unit`,
      hint: '90s, 5m, 1h or 1h30m',
    });
  }
  return ns;
}

function readName(text: string | null, faults: Fault[]): string | null {
  if (text === null || nameSchema.safeParse(text).success) return text;
  const what = `${quote(text)} must be 1 to 64 letters, digits, ".", "_" or "-", a letter or digit first`;
  faults.push({ where: '--name', what });
  return null;
}

function readDevice(texts: readonly string[], faults: Fault[]): string | null {
  const names = [...new Set(texts.flatMap((text) => text.split(',')).map((name) => name.trim()))];
  const [name = 'auto'] = names;
  const fault = (what: string, hint: string) => faults.push({ where: '-dev', what, hint });
  if (names.length > 1) {
    const hint =
      'run it once for each, and compare the campaigns with rooflaw compare A B --across device';
    fault(`names ${names.length} devices; a campaign has one`, hint);
  } else if (name.includes('/')) {
    fault(`${quote(name)} splits a model over devices; a trial has one`, 'name one device');
  } else if (name === '') {
    fault('is empty', 'a name as the backend has it, such as CUDA0; none for the CPU');
  }
  if (name === 'auto') return null;
  return name === 'none' ? 'CPU' : name;
}

import type { Fault } from '../../errors.ts';
import type { Execution } from '../../formats/protocol.ts';
import { canonicalJson } from '../../hash.ts';
import { formatWhole } from '../../units.ts';
import type { BenchVariant } from './request.ts';
import { type Choice, type Setting, settings } from './settings.ts';

interface Combination {
  /** The choice of each setting that was given. */
  choices: ReadonlyMap<Setting, Choice>;
  execution: Execution;
}

/** More runs than anybody waits for; a range that was meant otherwise makes so many. */
const mostVariants = 1000;
const plainValueTypes: ReadonlySet<string> = new Set(['F32', 'F16', 'BF16']);

/**
 * Every combination of the settings that were given, in llama-bench's order: the last of `settings`
 * changes fastest. Combinations that come to the same are measured once.
 * @param textsOf the values of an option, as they were given
 * @param notes gets what was changed or dropped on the way
 */
export function combineVariants(
  textsOf: (option: string) => readonly { name: string; value: string; place: number }[],
  base: Execution,
  faults: Fault[],
  notes: string[],
): BenchVariant[] {
  const before = faults.length;
  const given = settings
    .map((setting) => ({ setting, choices: readChoices(setting, textsOf, faults, notes) }))
    .filter(({ choices }) => choices.length > 0);
  const count = given.reduce((product, { choices }) => product * choices.length, 1);
  if (count > mostVariants) {
    faults.push({
      where: given.map(({ setting }) => formatOption(setting)).join(' '),
      what: `make ${formatWhole(count)} combinations; at most ${formatWhole(mostVariants)} are measured`,
    });
  }
  if (faults.length > before) return [];

  let combinations: Combination[] = [{ choices: new Map(), execution: base }];
  for (const { setting, choices } of given) {
    combinations = combinations.flatMap((combination) =>
      choices.map((choice) => ({
        choices: new Map([...combination.choices, [setting, choice]]),
        execution: { ...combination.execution, ...choice.changes },
      })),
    );
  }
  const varying = given.filter(({ choices }) => choices.length > 1).map(({ setting }) => setting);
  const variants = new Map<string, BenchVariant>();
  for (const combination of combinations) {
    const variant = describeVariant(combination, varying, base, faults, notes);
    const identity = canonicalJson([variant.changes, variant.mainDevice]);
    const same = variants.get(identity);
    if (same === undefined) variants.set(identity, variant);
    else notes.push(`${variant.label} is then the same as ${same.label} and measured once`);
  }
  const [only] = variants.values();
  return variants.size === 1 ? [{ ...only!, label: 'default' }] : [...variants.values()];
}

function readChoices(
  setting: Setting,
  textsOf: (option: string) => readonly { name: string; value: string; place: number }[],
  faults: Fault[],
  notes: string[],
): Choice[] {
  const texts = Object.entries(setting.readers)
    .flatMap(([option, read]) => textsOf(option).map((given) => ({ ...given, read })))
    .sort((a, b) => a.place - b.place);
  const lists = texts.map(({ name, value, read }) =>
    read(value, (what) => faults.push({ where: name, what })),
  );
  const choices = setting.isReplaced ? (lists.at(-1) ?? []) : lists.flat();
  const distinct = new Map(choices.map((choice) => [choice.text, choice]));
  if (distinct.size < choices.length) {
    notes.push(`${formatOption(setting)} names a value twice; it is measured once`);
  }
  return [...distinct.values()];
}

function describeVariant(
  { choices, execution }: Combination,
  varying: readonly Setting[],
  base: Execution,
  faults: Fault[],
  notes: string[],
): BenchVariant {
  const taken = { ...execution, ubatch: Math.min(execution.ubatch, execution.batch) };
  if (taken.ubatch < execution.ubatch) {
    noteOnce(
      notes,
      `-ub ${execution.ubatch} is more than -b ${execution.batch}: llama.cpp computes ${taken.ubatch} tokens at once, and so it is measured`,
    );
  }
  noteImpossible(taken, faults);
  const members = Object.keys(base) as (keyof Execution)[];
  const changed = members.filter(
    (member) => canonicalJson(taken[member]) !== canonicalJson(base[member]),
  );
  const label = varying.map((setting) => `${setting.label}=${choices.get(setting)!.text}`);
  const numbers = [...choices.values()].map(({ mainDevice }) => mainDevice);
  return {
    label: label.join(',') || 'default',
    changes: Object.fromEntries(changed.map((member) => [member, taken[member]])),
    mainDevice: numbers.find((number) => number !== undefined) ?? null,
  };
}

/** What llama.cpp or the runner refuses whatever the model is. */
function noteImpossible(execution: Execution, faults: Fault[]): void {
  const { kvTypeV, flashAttention, threadPoolStrictCpu, affinity } = execution;
  if (!plainValueTypes.has(kvTypeV) && flashAttention === 'off') {
    faultOnce(faults, {
      where: '-ctv',
      what: `${kvTypeV.toLowerCase()} needs flash attention, which is off in a combination`,
      hint: '-fa 1 (llama-bench’s auto turns it on by itself; here the default is off)',
    });
  }
  if (threadPoolStrictCpu && affinity === 'default') {
    faultOnce(faults, {
      where: '--cpu-strict',
      what: '1 gives each thread a CPU of the mask, and there is none in a combination',
      hint: '-C 0xf for the first four CPUs',
    });
  }
}

function noteOnce(notes: string[], note: string): void {
  if (!notes.includes(note)) notes.push(note);
}

function faultOnce(faults: Fault[], fault: Fault): void {
  if (!faults.some(({ what }) => what === fault.what)) faults.push(fault);
}

function formatOption({ readers }: Setting): string {
  return Object.keys(readers)[0]!;
}

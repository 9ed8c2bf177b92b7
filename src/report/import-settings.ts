import type { LlamaBenchImport } from '../formats/llama-bench-import.ts';

/** How the settings of an import are told: once where they are the same, else in each row. */
export interface ToldSettings {
  /** The same in every test. */
  shared: [name: string, value: string][];
  /** Those that tell the rows apart. */
  differing: string[];
  /** Settings that change where, and only where, a differing one does: a model's size with it. */
  together: Map<string, string[]>;
}

/** They are in the name of the test. */
const inTestName: ReadonlySet<string> = new Set(['n_prompt', 'n_gen', 'n_depth']);

export function tellSettings({ conditions }: LlamaBenchImport): ToldSettings {
  const names = new Set(conditions.flatMap(({ fields }) => Object.keys(fields)));
  const told: ToldSettings = { shared: [], differing: [], together: new Map() };
  const nameOf = new Map<string, string>();
  for (const name of names) {
    if (inTestName.has(name)) continue;
    const values = conditions.map(({ fields }) =>
      Object.hasOwn(fields, name) ? fields[name]! : null,
    );
    const distinct = new Map([...new Set(values)].map((value, index) => [value, index]));
    if (distinct.size === 1) {
      told.shared.push([name, values[0]!]);
      continue;
    }
    const partition = values.map((value) => distinct.get(value)).join();
    const first = nameOf.get(partition);
    if (first === undefined) {
      nameOf.set(partition, name);
      told.differing.push(name);
    } else {
      told.together.set(first, [...(told.together.get(first) ?? []), name]);
    }
  }
  return told;
}

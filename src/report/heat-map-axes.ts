import type { Analysis } from '../formats/analysis.ts';
import type { Execution } from '../formats/protocol.ts';

/** One variant by its settings, each as it is shown. */
export interface HeatPoint {
  variant: string;
  settings: ReadonlyMap<string, string>;
}

/** A setting that varies. */
export interface HeatAxis {
  setting: string;
  /** From the least to the greatest where they are numbers, else in the order of the variants. */
  values: string[];
  /** Settings that are always the same where this one is: they cannot be told apart from it. */
  follows: string[];
}

/** Every variant with all its settings: those of its execution, and the backend's label. */
export function listSettings({ identity, protocol }: Analysis): HeatPoint[] {
  const variants = identity.variants ?? [];
  const points = variants.map(({ name, backend, changes }) => {
    const settings = Object.entries({ ...protocol.execution, ...changes }).map(
      ([setting, value]) => [setting, formatValue(value)] as const,
    );
    return { variant: name, settings: new Map([['backend', backend], ...settings]) };
  });
  const distinct = new Set(points.map(({ settings }) => JSON.stringify([...settings.values()])));
  if (distinct.size === points.length) return points;
  // the same settings under two names: then only the name tells them apart
  return points.map(({ variant, settings }) => ({
    variant,
    settings: new Map([['variant', variant], ...settings]),
  }));
}

function formatValue(value: Execution[keyof Execution] | undefined): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? value.join('+') : String(value);
}

/**
 * The two settings with the most values as rows and columns, the rest apart. A setting that another
 * one settles (-t sets two) is no axis of its own: it stands among what that one is followed by.
 */
export function findHeatAxes(points: readonly HeatPoint[]): {
  rows: HeatAxis | null;
  columns: HeatAxis | null;
  others: HeatAxis[];
} {
  const names = [...(points[0]?.settings.keys() ?? [])];
  const varying = names
    .map((setting) => ({ setting, values: listValues(points, setting), follows: [] as string[] }))
    .filter(({ values }) => values.length > 1)
    .sort((a, b) => b.values.length - a.values.length); // stable: ties keep the settings' order
  const axes: HeatAxis[] = [];
  for (const axis of varying) {
    const leader = axes.find(({ setting }) => settles(points, setting, axis.setting));
    if (leader === undefined) axes.push(axis);
    else leader.follows.push(axis.setting);
  }
  const [rows = null, columns = null, ...others] = axes;
  return { rows, columns, others };
}

function listValues(points: readonly HeatPoint[], setting: string): string[] {
  const values = [...new Set(points.map(({ settings }) => settings.get(setting)!))];
  const areNumbers = values.every((value) => /^\d+$/.test(value));
  return areNumbers ? values.sort((a, b) => Number(a) - Number(b)) : values;
}

/** Whether `follower` has one value wherever `leader` has one. */
function settles(points: readonly HeatPoint[], leader: string, follower: string): boolean {
  const byLeader = Map.groupBy(points, ({ settings }) => settings.get(leader));
  return [...byLeader.values()].every((group) => listValues(group, follower).length === 1);
}

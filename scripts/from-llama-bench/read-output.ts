/** One row of a table, whichever program printed it, by its headings. */
export type Row = Readonly<Record<string, string>>;

/** Rows of the first Markdown table in a text; none where there is no table. */
export function readTable(text: string): Row[] {
  const [heading, rule, ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.slice(1, line.lastIndexOf('|')).split(' | '))
    .map((cells) => cells.map((cell) => cell.trim()));
  if (heading === undefined || rule === undefined) return [];
  return rows.map((cells) =>
    Object.fromEntries(heading.map((name, at) => [name, cells[at] ?? ''])),
  );
}

/** `2476.83 ± 51.61`: tokens per second and its deviation. */
export function readRate(row: Row): { rate: number; deviation: number } {
  const [rate, deviation] = (row['t/s'] ?? '').split('±').map(Number);
  return { rate: rate ?? Number.NaN, deviation: deviation ?? Number.NaN };
}

/** `2415.79–2515.15 (97.9 %)`: both ends; null where there is none. */
export function readInterval(row: Row): { low: number; high: number } | null {
  const found = /^([\d.]+)–([\d.]+)/.exec(row['interval t/s'] ?? '');
  return found && { low: Number(found[1]), high: Number(found[2]) };
}

/** The first object that `-o json` printed. */
export function readFirstObject(text: string): Record<string, unknown> {
  return (JSON.parse(text) as Record<string, unknown>[])[0] ?? {};
}

/** Processes during which others were at work, by what `rooflaw bench` says below its table. */
export function readDisturbed(stdout: string): { seen: number; all: number } | null {
  const found = /^DISTURBED: .* in (\d+) of (\d+) processes/m.exec(stdout);
  return found && { seen: Number(found[1]), all: Number(found[2]) };
}

/** The last lines of a refusal in one: llama-bench's own without llama.cpp's log, or all of Rooflaw's. */
export function readRefusal(command: string, stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const isTheirs = command.startsWith('llama-bench');
  const said = lines.filter((line) => (isTheirs ? line.includes('error') : line !== ''));
  return said.slice(-3).join(' / ');
}

const nsPerUnit: Readonly<Record<string, number>> = { s: 1e9, m: 60e9, min: 60e9, h: 3600e9 };
const part = /(\d{1,9}(?:\.\d{1,9})?)(min|[smh])/y;

/** Nanoseconds of `90s`, `5m` (or `5min`), `1h`, `1.5h`, `1h30m`; null for what is no such time or for 0. */
export function parseDurationNs(text: string): number | null {
  let total = 0;
  for (let at = 0; at < text.length; at = part.lastIndex) {
    part.lastIndex = at;
    const match = part.exec(text);
    if (match === null) return null;
    total += Number(match[1]) * nsPerUnit[match[2]!]!;
  }
  return total > 0 ? Math.round(total) : null;
}

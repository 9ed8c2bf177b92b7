import type { Space } from '../formats/space.ts';

/** Characters a line, as the repository's formatter has it. */
const lineWidth = 100;

/** The text of a space's file: indented JSON, with short objects and lists on one line. */
export function formatSpace(space: Space): string {
  const text = JSON.stringify(space, null, 2);
  const joined = text.replace(/([{[])\n\s+([^{}[\]]+?)\n\s+[}\]](,?)/g, joinWhenShort);
  return `${joined}\n`;
}

function joinWhenShort(
  original: string,
  opening: string,
  members: string,
  comma: string,
  offset: number,
  text: string,
): string {
  const line = members.replace(/\n\s+/g, ' ');
  const joined = opening === '{' ? `{ ${line} }` : `[${line}]`;
  const lineStart = text.lastIndexOf('\n', offset) + 1;
  const width = offset - lineStart + joined.length + comma.length;
  return width <= lineWidth ? joined + comma : original;
}

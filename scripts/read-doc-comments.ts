/**
 * The comments above the fields of a file of zod schemas, by path: `closure.items.reason` for the
 * field `reason` inside `items` of `closureSchema`. It goes by the indentation that the formatter
 * gives; arrays, unions and nullable add nothing to a path. What a schema takes over from another of
 * the file (`...shape`, `x.extend(`) it takes over with its comments.
 */
export function readDocComments(source: string): Map<string, string> {
  const comments = new Map<string, string>();
  let path: { indent: number; name: string }[] = [];
  let comment: string[] = [];
  let isInside = false;
  for (const line of source.split('\n')) {
    const text = line.trim();
    if (isInside || text.startsWith('/**')) {
      if (!isInside) comment = [];
      comment.push(
        text
          .replace(/\*\/$/, '')
          .replace(/^\/?\*+/, '')
          .trim(),
      );
      isInside = !text.endsWith('*/');
      continue;
    }
    const indent = line.length - line.trimStart().length;
    const name = /^(?:export )?const (\w+) =|^(\w+):/.exec(text)?.slice(1).find(Boolean);
    if (name !== undefined) {
      path = [...path.filter((above) => above.indent < indent), { indent, name: nameOf(name) }];
      if (comment.length > 0) comments.set(joinPath(path), comment.join(' ').trim());
    }
    const origin = /^\.\.\.(\w+),|= (\w+)\.extend\(/.exec(text)?.slice(1).find(Boolean);
    if (origin !== undefined) copyComments(comments, nameOf(origin), path[0]!.name);
    comment = [];
  }
  return comments;
}

function nameOf(constant: string): string {
  return constant.replace(/Schema$/, '');
}

function joinPath(path: readonly { name: string }[]): string {
  return path.map(({ name }) => name).join('.');
}

function copyComments(comments: Map<string, string>, from: string, to: string): void {
  for (const [path, comment] of [...comments]) {
    if (path.startsWith(`${from}.`)) comments.set(to + path.slice(from.length), comment);
  }
}

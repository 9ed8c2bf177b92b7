/**
 * Name of a CPU: from `/proc/cpuinfo`, where x86 gives it as the model name and Arm as the numbers
 * of implementer and part, else as the system library gives it.
 */
export function describeCpu(cpuinfo: string | null, model: string | undefined): string {
  const readValue = (key: string) =>
    new RegExp(`^${key}\\s*:\\s*(.+)$`, 'm').exec(cpuinfo ?? '')?.[1]?.trim();
  const name = readValue('model name') ?? model?.trim();
  if (name !== undefined && name !== '' && name !== 'unknown') return name;
  const implementer = readValue('CPU implementer');
  const part = readValue('CPU part');
  return implementer === undefined ? 'unknown' : `implementer ${implementer} part ${part}`;
}

/** `PRETTY_NAME` of `/etc/os-release` (os-release(5)); null without one. */
export function parsePrettyName(osRelease: string | null): string | null {
  return /^PRETTY_NAME="?([^"\n]{1,200})"?$/m.exec(osRelease ?? '')?.[1] ?? null;
}

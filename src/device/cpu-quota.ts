/** CPUs' worth of time that one control group grants. */
export type CpuQuota = number | 'unlimited';

/** Reads `cpu.max` of control groups version 2: quota and period in microseconds, `max` for none. */
export function parseCpuMax(text: string): CpuQuota {
  const [quota, period] = text.split(' ');
  return divideQuota(Number(quota), Number(period ?? 100_000));
}

/** Reads `cpu.cfs_quota_us` and `cpu.cfs_period_us` of version 1; -1 for no limit. */
export function parseCfsQuota(quota: string, period: string): CpuQuota {
  return divideQuota(Number(quota), Number(period));
}

function divideQuota(quota: number, period: number): CpuQuota {
  return quota > 0 && period > 0 ? quota / period : 'unlimited';
}

/** A group is held to the tightest of its own and its ancestors' quotas; null when none was read. */
export function tightestQuota(quotas: readonly CpuQuota[]): CpuQuota | null {
  if (quotas.length === 0) return null;
  const limits = quotas.filter((quota) => quota !== 'unlimited');
  return limits.length === 0 ? 'unlimited' : Math.min(...limits);
}

export interface CpuGroup {
  /** Of control groups: their files have other names. */
  version: 1 | 2;
  folder: string;
}

/** PATH_MAX of Linux. */
const longestPath = 4096;

/**
 * A process's CPU control group and its ancestors, innermost first.
 * @param membership `/proc/self/cgroup`: lines of `hierarchy:controllers:path`.
 */
export function locateCpuGroups(membership: string): CpuGroup[] {
  return membership.split('\n').flatMap((line) => {
    const match = /^\d+:([^:]*):(\/.*)$/.exec(line);
    if (match === null || match[2]!.length > longestPath) return [];
    const [controllers, path] = [match[1]!, match[2]!];
    if (controllers === '') return withAncestors(2, '/sys/fs/cgroup', path);
    return controllers.split(',').includes('cpu')
      ? withAncestors(1, '/sys/fs/cgroup/cpu', path)
      : [];
  });
}

function withAncestors(version: 1 | 2, root: string, path: string): CpuGroup[] {
  const parts = path.split('/').filter((part) => part !== '');
  return [...parts.keys(), parts.length]
    .reverse()
    .map((depth) => ({ version, folder: [root, ...parts.slice(0, depth)].join('/') }));
}

import { availableParallelism, cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CpuQuota,
  locateCpuGroups,
  parseCfsQuota,
  parseCpuMax,
  tightestQuota,
} from './cpu-quota.ts';
import { parseCpuTime, shareCpuTime } from './cpu-time.ts';
import type { GpuMachineReadings, MachineReadings } from './machine-readings.ts';
import { formerStateQuery, parseStateLine, stateQuery } from './nvidia.ts';
import { listGpus, queryGpus, runNvidiaSmi } from './nvidia-smi.io.ts';
import { isFirstPidNamespace } from './other-use.ts';
import { readPidNamespace } from './pid-namespace.io.ts';
import { listSystemFolder, readSystemText } from './system-text.io.ts';

/** Milliseconds; 50 ticks of a CPU's clock, so that a busy share is known to 2 %. */
const windowMs = 500;

/** Reads what may disturb measuring here. Changes nothing and never throws. */
export async function readMachine(): Promise<MachineReadings> {
  const timeBefore = parseCpuTime(readSystemText('/proc/stat'));
  await sleep(windowMs);
  const cpuShares = shareCpuTime(timeBefore, parseCpuTime(readSystemText('/proc/stat')));
  const namespace = readPidNamespace();
  return {
    allowedCpuCount: countAllowedCpus(),
    cpuQuota: readCpuQuota(),
    governors: readGovernors(),
    turbo: readTurbo(),
    cpuShares,
    hypervisor: readHypervisor(),
    container: namespace === null ? null : !isFirstPidNamespace(namespace),
    swap: readSwap(),
    onBattery: readOnBattery(),
    thermalThrottleEvents: readThermalThrottleEvents(),
    gpus: await readGpus(),
  };
}

/** A CPU list such as `0-3,8`; a control group's quota does not count here. */
function countAllowedCpus(): number {
  const list = /^Cpus_allowed_list:\s*(.+)$/m.exec(readSystemText('/proc/self/status') ?? '')?.[1];
  if (list === undefined) return cpus().length || availableParallelism();
  return list.split(',').reduce((count, range) => {
    const [first, last] = range.split('-').map(Number);
    return count + (last ?? first!) - first! + 1;
  }, 0);
}

function readCpuQuota(): CpuQuota | null {
  const quotas: CpuQuota[] = [];
  for (const { version, folder } of locateCpuGroups(readSystemText('/proc/self/cgroup') ?? '')) {
    if (version === 2) {
      const limit = readSystemText(`${folder}/cpu.max`);
      if (limit !== null) quotas.push(parseCpuMax(limit));
    } else {
      const quota = readSystemText(`${folder}/cpu.cfs_quota_us`);
      const period = readSystemText(`${folder}/cpu.cfs_period_us`);
      if (quota !== null && period !== null) quotas.push(parseCfsQuota(quota, period));
    }
  }
  return tightestQuota(quotas);
}

const cpuFolder = '/sys/devices/system/cpu';
const listCpus = () =>
  listSystemFolder(cpuFolder, /^cpu\d+$/).map((name) => `${cpuFolder}/${name}`);

function readGovernors(): string[] | null {
  const governors = listCpus()
    .map((cpu) => readSystemText(`${cpu}/cpufreq/scaling_governor`))
    .filter((text) => text !== null);
  return governors.length === 0 ? null : governors;
}

function readTurbo(): boolean | null {
  const noTurbo = readSystemText(`${cpuFolder}/intel_pstate/no_turbo`);
  if (noTurbo !== null) return noTurbo === '0';
  const boost = readSystemText(`${cpuFolder}/cpufreq/boost`);
  return boost === null ? null : boost === '1';
}

function readHypervisor(): boolean | null {
  const cpuinfo = readSystemText('/proc/cpuinfo');
  const flags = /^flags\s*:(.*)$/m.exec(cpuinfo ?? '')?.[1];
  return flags === undefined ? null : / hypervisor( |$)/.test(flags);
}

function readSwap(): MachineReadings['swap'] {
  const meminfo = readSystemText('/proc/meminfo') ?? '';
  const [total, free] = ['SwapTotal', 'SwapFree'].map(
    (key) => new RegExp(`^${key}:\\s*(\\d+) kB$`, 'm').exec(meminfo)?.[1],
  );
  if (total === undefined || free === undefined) return null;
  return { totalBytes: Number(total) * 1024, usedBytes: (Number(total) - Number(free)) * 1024 };
}

/** A laptop on battery has a battery that discharges. */
function readOnBattery(): boolean | null {
  const folder = '/sys/class/power_supply';
  const states = listSystemFolder(folder, /./)
    .filter((name) => readSystemText(`${folder}/${name}/type`) === 'Battery')
    .map((name) => readSystemText(`${folder}/${name}/status`));
  return states.length === 0 ? null : states.includes('Discharging');
}

function readThermalThrottleEvents(): number | null {
  const counts = listCpus()
    .map((cpu) => readSystemText(`${cpu}/thermal_throttle/core_throttle_count`))
    .filter((text) => text !== null);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + Number(count), 0);
}

async function readGpus(): Promise<GpuMachineReadings[] | null> {
  const gpus = await listGpus();
  if (gpus.length === 0) return null;
  const states = (await queryGpus(stateQuery)) ?? (await queryGpus(formerStateQuery)) ?? '';
  const lines = states.trim().split('\n');
  const processes = await runNvidiaSmi(['--query-compute-apps=gpu_uuid', '--format=csv,noheader']);
  const owners = processes === null ? null : countLines(processes);
  return gpus.flatMap(({ index, uuid, name }, place) => {
    const state = parseStateLine(lines[place] ?? '');
    if (state === null) return [];
    return { index, name, ...state, computeProcesses: owners && (owners.get(uuid) ?? 0) };
  });
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n').map((one) => one.trim())) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

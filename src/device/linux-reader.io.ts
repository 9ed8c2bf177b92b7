import { listSystemFolder, readSystemText } from './system-text.io.ts';

const absent = 'absent';
const cpuFolder = '/sys/devices/system/cpu';
const thermalFolder = '/sys/class/thermal';

/** State of the CPUs and memory; each reading is the kernel's own text or `absent`. */
export interface LinuxReadings extends Record<string, string> {
  /** `/proc/loadavg` without the last pid. */
  loadAverage: string;
  /** First line of `/proc/stat`: the share of busy time between two readings follows from it. */
  cpuTicks: string;
  memoryAvailable: string;
  governor: string;
  frequencyKHz: string;
  temperatureMilliC: string;
}

/** Looks up once which files there are, and returns what reads them. */
export function createLinuxReader(): () => LinuxReadings {
  const cpus = listSystemFolder(cpuFolder, /^cpu\d+$/)
    .map((name) => Number(name.slice(3)))
    .sort((a, b) => a - b);
  const files = (name: string) => cpus.map((cpu) => `${cpuFolder}/cpu${cpu}/cpufreq/${name}`);
  const zones = listSystemFolder(thermalFolder, /^thermal_zone\d+$/).map((zone) => ({
    type: readSystemText(`${thermalFolder}/${zone}/type`) ?? zone,
    file: `${thermalFolder}/${zone}/temp`,
  }));
  return () => ({
    loadAverage: readSystemText('/proc/loadavg')?.replace(/ \d+$/, '') ?? absent,
    cpuTicks: readSystemText('/proc/stat')?.split('\n')[0] ?? absent,
    memoryAvailable:
      /^MemAvailable:\s*(.+)$/m.exec(readSystemText('/proc/meminfo') ?? '')?.[1] ?? absent,
    governor: [...new Set(readAll(files('scaling_governor')))].join(' ') || absent,
    frequencyKHz: readAll(files('scaling_cur_freq')).join(' ') || absent,
    temperatureMilliC:
      zones.map(({ type, file }) => `${type}=${readSystemText(file) ?? absent}`).join(' ') ||
      absent,
  });
}

function readAll(paths: readonly string[]): string[] {
  return paths.map(readSystemText).filter((text) => text !== null);
}

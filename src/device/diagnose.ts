import type { GpuMachineReadings, MachineReadings } from './machine-readings.ts';
import { explainClocksEventReasons } from './nvidia.ts';
import { judgeGpuUse } from './other-use.ts';

/** One thing that may disturb measuring. */
export interface Finding {
  what: string;
  state: 'ok' | 'warning' | 'not-measured';
  /** What was seen, or why nothing could be. */
  seen: string;
  /** What to do about a warning. */
  advice: string | null;
}

/** Share of all CPUs; an idle system's own services take less. */
const quietBusyShare = 0.05;
/** Share of time; stolen time shows at all only where the hypervisor is short of CPUs. */
const quietStolenShare = 0.01;

/**
 * Judges what a machine shows against what a measurement needs.
 * @param threads what the protocol asks for.
 */
export function diagnose(machine: MachineReadings, threads: number): Finding[] {
  return [
    judgeThreads(machine, threads),
    judgeQuota(machine, threads),
    judgeGovernors(machine.governors),
    judgeTurbo(machine.turbo),
    judgeLoad(machine.cpuShares),
    judgeVisibility(machine.container),
    judgeHypervisor(machine.hypervisor),
    judgeStolenTime(machine.cpuShares),
    judgeSwap(machine.swap),
    judgePower(machine.onBattery),
    judgeThrottling(machine.thermalThrottleEvents),
    ...(machine.gpus === null
      ? [notMeasured('NVIDIA GPU', 'no answer from nvidia-smi')]
      : machine.gpus.flatMap(judgeGpu)),
  ];
}

const ok = (what: string, seen: string): Finding => ({ what, state: 'ok', seen, advice: null });
const warning = (what: string, seen: string, advice: string): Finding => ({
  what,
  state: 'warning',
  seen,
  advice,
});
function notMeasured(what: string, seen: string): Finding {
  return { what, state: 'not-measured', seen, advice: null };
}

function judgeThreads({ allowedCpuCount }: MachineReadings, threads: number): Finding {
  const seen = `${threads} threads, ${allowedCpuCount} CPUs`;
  if (threads <= allowedCpuCount) return ok('threads', seen);
  return warning(
    'threads',
    seen,
    'use a protocol with fewer threads (v1-cpu2 is v1 with 2): threads without a CPU make every token wait',
  );
}

function judgeQuota({ cpuQuota }: MachineReadings, threads: number): Finding {
  const what = 'CPU quota';
  if (cpuQuota === null) return notMeasured(what, 'no control group could be read');
  if (cpuQuota === 'unlimited') return ok(what, 'none');
  const seen = `${cpuQuota} CPUs' worth of time`;
  // Strictly less: threads that spin while they wait use all their time, and Rooflaw uses some too.
  if (threads < cpuQuota) return ok(what, seen);
  return warning(what, seen, 'raise the container’s limit: at its quota a process is stopped');
}

function judgeGovernors(governors: string[] | null): Finding {
  const what = 'frequency governor';
  if (governors === null) return notMeasured(what, 'this system does not show one');
  const different = [...new Set(governors)].sort();
  if (different.join() === 'performance') return ok(what, 'performance');
  return warning(
    what,
    different.join(', '),
    'set it for the campaign: sudo cpupower frequency-set -g performance',
  );
}

function judgeTurbo(turbo: boolean | null): Finding {
  const what = 'turbo clocks';
  if (turbo === null) return notMeasured(what, 'this system does not show them');
  if (!turbo) return ok(what, 'off');
  return warning(
    what,
    'on',
    'switch turbo off in the firmware or the cpufreq driver, or expect clocks that follow temperature and load',
  );
}

function judgeLoad(shares: MachineReadings['cpuShares']): Finding {
  const what = 'other load';
  if (shares === null) return notMeasured(what, 'this system does not show CPU time');
  const seen = `CPUs ${formatPercent(shares.busy)} busy while Rooflaw waited`;
  if (shares.busy <= quietBusyShare) return ok(what, seen);
  return warning(what, seen, 'stop what else runs here (see top), then ask again');
}

function judgeVisibility(container: boolean | null): Finding {
  const what = 'other processes';
  if (container === null) return notMeasured(what, 'this system has no PID namespaces');
  if (!container) return ok(what, 'visible');
  return warning(
    what,
    'not visible: this is a container',
    'make sure that nothing else runs on the machine, or measure outside the container',
  );
}

function judgeHypervisor(hypervisor: boolean | null): Finding {
  const what = 'hypervisor';
  if (hypervisor === null) return notMeasured(what, 'this CPU does not say');
  if (!hypervisor) return ok(what, 'none');
  return warning(
    what,
    'this is a virtual machine',
    'its neighbours and true clocks cannot be seen: watch the drift of the reference, or measure on bare metal',
  );
}

function judgeStolenTime(shares: MachineReadings['cpuShares']): Finding {
  const what = 'stolen CPU time';
  if (shares === null) return notMeasured(what, 'this system does not show CPU time');
  const seen = formatPercent(shares.stolen);
  if (shares.stolen <= quietStolenShare) return ok(what, seen);
  return warning(what, seen, 'the host is short of CPUs: measure at another time or elsewhere');
}

function judgeSwap(swap: MachineReadings['swap']): Finding {
  const what = 'swap';
  if (swap === null) return notMeasured(what, 'this system does not show it');
  const used = `${Math.round(swap.usedBytes / 2 ** 20)} MiB in use`;
  if (swap.usedBytes === 0) return ok(what, swap.totalBytes === 0 ? 'none' : used);
  return warning(what, used, 'free memory, then empty it: sudo swapoff -a && sudo swapon -a');
}

function judgePower(onBattery: boolean | null): Finding {
  const what = 'power';
  if (onBattery === null) return notMeasured(what, 'no battery is shown');
  if (!onBattery) return ok(what, 'the battery does not discharge');
  return warning(what, 'on battery', 'connect the power supply: on battery clocks are lowered');
}

function judgeThrottling(events: number | null): Finding {
  const what = 'CPU thermal throttling';
  if (events === null) return notMeasured(what, 'this system does not count it');
  if (events === 0) return ok(what, 'never since boot');
  return warning(
    what,
    `${events} times since boot`,
    'improve the cooling; compare the count before and after a campaign',
  );
}

function judgeGpu(gpu: GpuMachineReadings): Finding[] {
  const what = `GPU ${gpu.index} (${gpu.name})`;
  const { computeProcesses, memoryUsedMiB, utilisationPercent, persistenceMode } = gpu;
  const use = judgeGpuUse(memoryUsedMiB);
  const listed = computeProcesses === null ? 'processes unknown' : `${computeProcesses} processes`;
  const seen = `${listed}, ${memoryUsedMiB} MiB and ${utilisationPercent} % in use`;
  const inUse = use === 'seen' || (computeProcesses ?? 0) > 0;
  const held = explainClocksEventReasons(gpu.clocksEventReasons);
  return [
    inUse
      ? warning(`${what} use`, seen, 'wait for the others or stop them (see nvidia-smi)')
      : use === 'not-visible'
        ? notMeasured(`${what} use`, seen)
        : ok(`${what} use`, seen),
    held.length === 0
      ? ok(`${what} clocks`, 'nothing holds them down')
      : warning(`${what} clocks`, held.join(', '), 'improve the cooling or raise the power limit'),
    persistenceMode === 'Enabled'
      ? ok(`${what} persistence mode`, 'on')
      : warning(
          `${what} persistence mode`,
          persistenceMode,
          'switch it on, so that the driver stays loaded between trials: sudo nvidia-smi -pm 1',
        ),
  ];
}

function formatPercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

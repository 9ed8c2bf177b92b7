/** What `doctor` reads of a machine; null is always "could not be read". */
export interface MachineReadings {
  /** CPUs that this process may use. */
  allowedCpuCount: number;
  /** CPUs' worth of time that a control group grants. */
  cpuQuota: number | 'unlimited' | null;
  /** One for each CPU. */
  governors: string[] | null;
  turbo: boolean | null;
  /** Over a short window in which Rooflaw itself slept. */
  cpuShares: { busy: number; stolen: number } | null;
  hypervisor: boolean | null;
  /** A PID namespace of its own: other processes of the machine cannot be seen. */
  container: boolean | null;
  swap: { totalBytes: number; usedBytes: number } | null;
  /** null also where there is no battery. */
  onBattery: boolean | null;
  /** Since boot, of all CPUs. */
  thermalThrottleEvents: number | null;
  /** null without nvidia-smi. */
  gpus: GpuMachineReadings[] | null;
}

export interface GpuMachineReadings {
  index: string;
  name: string;
  clocksEventReasons: string;
  memoryUsedMiB: string;
  utilisationPercent: string;
  persistenceMode: string;
  /** Compute processes that nvidia-smi lists; in a container only its own. */
  computeProcesses: number | null;
}

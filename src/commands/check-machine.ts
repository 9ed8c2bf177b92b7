import type { PreparedBackend } from '../backend/prepared-backend.ts';
import { diagnose } from '../device/diagnose.ts';
import { readMachine } from '../device/machine-readings.io.ts';
import type { Plan } from '../formats/plan.ts';
import { refuseTooManyThreads } from './choose-device.ts';
import type { Progress } from './progress.ts';

/** Threads that the machine has not are refused; what else disturbs measuring is said. */
export async function checkMachine(
  plan: Plan,
  description: PreparedBackend['description'],
  progress: Progress,
): Promise<void> {
  const machine = await readMachine();
  const quota = typeof machine.cpuQuota === 'number' ? machine.cpuQuota : null;
  const executions = plan.variants ?? [
    { ...plan.protocol, name: `protocol ${plan.protocol.name}` },
  ];
  for (const { name, execution } of executions) {
    refuseTooManyThreads(name, execution, description, quota);
  }
  const threads = Math.max(...executions.map(({ execution }) => execution.threads));
  for (const { what, state, seen } of diagnose(machine, threads)) {
    const isLoad = what === 'other load' || / use$/.test(what);
    if (isLoad && state === 'warning')
      progress.say(`CAREFUL, ${what}: ${seen} (\`rooflaw doctor\` says more)`);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runTool } from '../../src/backend/run-tool.io.ts';
import { splitWords } from '../../src/commands/ab-arguments.ts';
import { exitStatus as statuses } from '../../src/errors.ts';

/** What a command did. */
export interface Ran {
  /** As it is typed. */
  command: string;
  exitStatus: number;
  stdout: string;
  stderr: string;
  seconds: number;
}

/** @param expected exit statuses that are no fault (0) */
export type RunCommand = (command: string, expected?: readonly number[]) => Promise<Ran>;

const rooflaw = fileURLToPath(new URL('../../bin/rooflaw.js', import.meta.url));
/** Of one command, waiting for other campaigns included. */
const limitMs = 900_000;
const waitMs = 5000;

/**
 * Runs commands that begin with `rooflaw` or `llama-bench`, one after the other.
 * @param place.folder where the models are
 * @param place.environment llama-bench's; Rooflaw chooses for its own processes
 * @returns what throws when a command ends in another way than expected
 */
export function createRunCommand(
  place: {
    folder: string;
    llamaBench: string;
    environment: Readonly<Record<string, string>>;
  },
  say: (text: string) => void,
): RunCommand {
  return async (command, expected = [0]) => {
    const [name, ...words] = splitWords(command)!;
    const options = { cwd: place.folder, timeLimitMs: limitMs };
    const start = () =>
      name === 'rooflaw'
        ? runTool(process.execPath, [rooflaw, ...words], { ...options, env: process.env })
        : runTool(place.llamaBench, words, { ...options, env: place.environment });
    const end = performance.now() + limitMs;
    say(command);
    let began = performance.now();
    let ended = await start();
    while (ended.exitStatus === statuses.busy && performance.now() < end) {
      say('  another campaign has the device: waiting');
      await sleep(waitMs);
      began = performance.now();
      ended = await start();
    }
    const { exitStatus, stdout, stderr } = ended;
    if (exitStatus === null || !expected.includes(exitStatus)) {
      const how = exitStatus === null ? 'did not end by itself' : `status ${exitStatus}`;
      throw new Error(`${command}: ${how}\n${stderr.trimEnd().slice(-2000)}`);
    }
    return { command, exitStatus, stdout, stderr, seconds: (performance.now() - began) / 1000 };
  };
}

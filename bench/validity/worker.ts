import { parentPort } from 'node:worker_threads';
import { createRandom } from '../../src/random.ts';
import { countJointCoverage, countOneSampleCoverage, countRatioCoverage } from './coverage.ts';
import { countAlarms } from './false-alarms.ts';
import { countRounds, countSequenceErrors } from './sequences.ts';
import { seedOf, type Task } from './study.ts';
import { countTailCoverage } from './tail.ts';
import { createDraw } from './world.ts';

const studies = {
  'false-alarms': countAlarms,
  coverage: countRatioCoverage,
  'one-sample': countOneSampleCoverage,
  joint: countJointCoverage,
  tail: countTailCoverage,
  sequences: countSequenceErrors,
  power: countAlarms,
  rounds: countRounds,
};

parentPort!.on('message', (task: Task) => {
  const draw = createDraw(createRandom(seedOf(task)));
  parentPort!.postMessage(studies[task.study](task, draw));
});

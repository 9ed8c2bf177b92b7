import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { folderOfCampaign } from '../campaign/locate.io.ts';
import { formatDuration } from '../units.ts';
import { describe } from './analyze.ts';
import { cacheFolder } from './cache-folder.ts';
import { loadAnalysis } from './load-analysis.ts';
import { makePlan } from './plan.ts';
import { createProgress } from './progress.ts';
import { writeReport } from './report.ts';
import { concludeRun, readPlan, runPlan } from './run.ts';

/** Frozen, so that pilots of different machines measure in the same order. */
const scheduleSeed = 1;

export function registerPilot(program: Command): void {
  program
    .command('pilot')
    .description(
      'Measure a small campaign on this machine’s CPU, from models to report, in minutes.',
    )
    .option('--name <name>', 'name of the campaign', 'pocket')
    .addOption(new Option('--space <name|file>', 'what is measured').default('pocket'))
    .addOption(new Option('--protocol <name|file>', 'by which rules').default('pocket-1'))
    .addHelpText(
      'after',
      `
Example:
  $ rooflaw pilot

A second call resumes what was stopped, or shows what is there.

Exit status: 0 complete, 2 invalid space or protocol, 3 complete but some trials failed, 4 the machine
lacks something, 5 a model or ledger is not what its hash says, 6 device in use, 130 stopped`,
    )
    .action(async (options: { name: string; space: string; protocol: string }) => {
      const progress = createProgress();
      const started = process.hrtime.bigint();
      const { plan: planFile } = folderOfCampaign(options.name);
      progress.say(
        `models of random weights are generated in ${cacheFolder()}, then measured on the CPU with llama.cpp`,
      );
      const plan = existsSync(planFile)
        ? readPlan(planFile)
        : await makePlan(
            {
              ...options,
              targetDifference: 0.1,
              tailsAreAGoal: false,
              seed: scheduleSeed,
              models: true,
            },
            progress,
          );
      const result = await runPlan(plan, { name: options.name, device: 'CPU' }, progress);
      if (!result.stopped) {
        const { analysis } = await loadAnalysis(result.folder.folder);
        process.stdout.write(describe(analysis));
        const report = await writeReport(result.folder.folder);
        const took = formatDuration(Number(process.hrtime.bigint() - started));
        progress.say(
          `took ${took} in all, with what comes before the first trial and after the last`,
        );
        progress.say(`report: ${report}`);
      }
      concludeRun(result, progress);
    });
}

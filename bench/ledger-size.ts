/**
 * How `verify` and `analyze` grow with a ledger: 1,000,000 repetitions of real H200 trials, chained
 * anew as a campaign of many rounds.
 *
 *   node bench/ledger-size.ts [--trials 40000] [--runs 3]
 *
 * Prints wall time and peak memory of both commands, each a process of its own (goal, together: at
 * most 4 s and 600 MB), and beside each pair how long a process takes that only reads the lines and
 * gives them to JSON.parse: this machine's speed at that moment.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatItem } from '../src/formats/architecture.ts';
import type { CampaignEntry, ObservedEntry, UnchainedEntry } from '../src/formats/ledger.ts';
import { identityOf } from '../src/hash.ts';
import { chainEntry, emptyChain } from '../src/ledger/chain.ts';
import { readLedger } from '../src/ledger/read.io.ts';
import { listItems, planTrials } from '../src/protocol/schedule.ts';

const { values } = parseArgs({
  options: { trials: { type: 'string', default: '40000' }, runs: { type: 'string', default: '3' } },
});
const program = fileURLToPath(new URL('../bin/rooflaw.js', import.meta.url));
const source = fileURLToPath(new URL('../results/h200-pilot-v1/ledger.ndjson', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rooflaw-bench-'));

async function writeLongLedger(path: string, trials: number): Promise<{ trials: number }> {
  const observed = new Map<string, ObservedEntry[]>();
  let campaign: CampaignEntry | undefined;
  let item = '';
  await readLedger(source, (entry) => {
    if (entry.type === 'campaign') campaign = entry;
    if (entry.type === 'intended') item = formatItem(entry.item);
    if (entry.type === 'observed') observed.set(item, [...(observed.get(item) ?? []), entry]);
  });
  if (campaign === undefined) throw new Error('no campaign');
  const processesPerItem = Math.ceil(trials / listItems(campaign.plan).length);
  const protocol = { ...campaign.plan.protocol, name: 'long', processesPerItem };
  const plan = { ...campaign.plan, protocol, protocolSha256: identityOf(protocol) };
  const out = createWriteStream(path);
  let head = emptyChain;
  const write = (entry: UnchainedEntry) => {
    const time = new Date(Date.UTC(2026, 0, 1) + head.length * 1000).toISOString();
    const chained = chainEntry(entry, head, time);
    head = chained.head;
    out.write(`${chained.line}\n`);
  };
  const { seq: _seq, prev: _prev, time: _time, ...first } = campaign;
  const { protocolSha256 } = plan;
  write({ ...first, plan, planSha256: identityOf(plan), protocolSha256 });
  write({ type: 'session', session: 0, bootId: null, differences: [], tornLine: null });
  const schedule = planTrials(plan);
  for (const { trial, round, position, item, model } of schedule) {
    const place = { trial, attempt: 0 };
    const modelSha256 = model.sha256;
    write({ type: 'intended', ...place, session: 0, round, position, item, modelSha256 });
    const seen = observed.get(formatItem(item))!;
    const { seq: _seq, prev: _prev, time: _time, log, ...entry } = seen[round % seen.length]!;
    const file = `${String(trial).padStart(6, '0')}-0.log`;
    write({ ...entry, ...place, log: log && { ...log, file } });
  }
  write({ type: 'end', observed: schedule.length, failed: 0 });
  out.end();
  await finished(out);
  return { trials: schedule.length };
}

const parseOnly = `
  const lines = require('node:fs').readFileSync(process.argv[1], 'latin1').trimEnd().split('\\n');
  for (const line of lines) JSON.parse(line);`;

function measureParsing(ledger: string): number {
  const started = process.hrtime.bigint();
  const run = spawnSync(process.execPath, ['-e', parseOnly, ledger], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return Number(process.hrtime.bigint() - started) / 1e9;
}

function measure(args: string[]): { seconds: number; megabytes: number } {
  const started = process.hrtime.bigint();
  const report =
    "process.on('exit',()=>process.stderr.write('RSS '+process.resourceUsage().maxRSS))";
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const run = spawnSync(process.execPath, ['--import', preload, program, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (run.status !== 0) throw new Error(`${args[0]}: ${run.stderr}`);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  return { seconds, megabytes: Number(/RSS (\d+)/.exec(run.stderr)?.[1]) / 1000 };
}

try {
  mkdirSync(join(folder, 'long'));
  const ledger = join(folder, 'long', 'ledger.ndjson');
  const { trials } = await writeLongLedger(ledger, Number(values.trials));
  console.log(
    `${trials} trials of 25 repetitions; ${cpus().length} x ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(2)}`,
  );
  for (let run = 1; run <= Number(values.runs); run++) {
    const parsing = measureParsing(ledger);
    const verify = measure(['verify', ledger]);
    const analyze = measure(['analyze', ledger, '--json']);
    const text = (name: string, { seconds, megabytes }: typeof verify) =>
      `${name} ${seconds.toFixed(2)} s, ${megabytes.toFixed(0)} MB`;
    const sum = verify.seconds + analyze.seconds;
    console.log(
      `run ${run}: ${text('verify', verify)}; ${text('analyze', analyze)}; together ${sum.toFixed(2)} s, ${(sum / parsing).toFixed(1)} times JSON.parse alone (${parsing.toFixed(2)} s)`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

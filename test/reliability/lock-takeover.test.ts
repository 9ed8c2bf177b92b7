import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startLife } from '../../scripts/crash/start-life.ts';
import { findFaultsOf, prepareLives, readLedgerOf } from '../support/fast-runner-life.ts';
import { workIn } from '../support/rooflaw.ts';

const isLinux = process.platform === 'linux';

/** What a page says under a heading, up to the next one. */
function readSection(page: string, heading: string): string {
  return page.split(/<h[23][^>]*>/).find((part) => part.startsWith(`${heading}</h`)) ?? '';
}

describe.skipIf(!isLinux)(
  'locks of the dead that a campaign takes over (Linux: /proc)',
  async () => {
    const lives = isLinux ? await prepareLives() : null;

    test('stand in its ledger, each once, as what the program saw, and in no person’s words', async () => {
      const life = await lives!.prepare();
      const locks = [join(life.folder, 'rooflaw-crash.lock'), join(life.folder, 'crash/.lock')];
      const acknowledged = new Map<number, string>();
      const stop = async (signal: NodeJS.Signals | null, trials = 1) => {
        const running = startLife(life);
        let seen = 0;
        if (signal !== null) {
          await running.waitFor((line) => line.startsWith('ack ') && ++seen > trials);
          running.child.kill(signal);
        }
        const end = await running.ended;
        for (const [seq, sha256] of running.acknowledged) acknowledged.set(seq, sha256);
        return { ...end, pid: running.child.pid };
      };
      const killed = await stop('SIGKILL', 3);
      expect(killed.signal).toBe('SIGKILL');
      expect((await stop('SIGTERM', 6)).status).toBe(130);
      // as another boot leaves them; the name of somebody else's campaign is theirs
      const owner = { pid: 77, startTicks: '1', bootId: 'another', pidNamespace: null };
      for (const path of locks)
        writeFileSync(path, JSON.stringify({ ...owner, campaign: 'secret' }));
      expect((await stop(null)).status).toBe(0);

      expect(await findFaultsOf(life, acknowledged)).toEqual([]);
      const entries = readLedgerOf(life);
      const [ended, another] = [
        'that process has ended',
        'it is of an earlier start of the system',
      ];
      const words = [
        `the lock of device crash, left behind by process ${killed.pid} of campaign crash, was taken over: ${ended}`,
        `the lock of campaign crash, left behind by process ${killed.pid} of campaign crash, was taken over: ${ended}`,
        `the lock of device crash, left behind by process 77 of another campaign, was taken over: ${another}`,
        `the lock of campaign crash, left behind by process 77 of another campaign, was taken over: ${another}`,
      ];
      const told = entries.flatMap<number | string>((entry) =>
        entry.type === 'session' ? [entry.session] : entry.type === 'note' ? [entry.text] : [],
      );
      expect(told).toEqual([0, 1, words[0], words[1], 2, words[2], words[3]]);
      expect(entries.filter(({ type }) => type === 'note')).toMatchObject(
        words.map(() => ({ author: 'rooflaw' })),
      );

      const work = workIn();
      const campaign = join(life.folder, 'crash');
      expect(await work.run(['verify', campaign])).toMatchObject({ status: 0 });
      const table = (await work.run(['analyze', campaign])).stdout;
      const joined = table.replaceAll(/\s+/g, ' ');
      for (const text of words) expect(joined).toContain(text);
      expect(table).toContain('Noted by the program');
      expect(table).not.toMatch(/After the fact|after the plan was fixed/);

      const page = join(work.folder, 'report.html');
      expect(await work.run(['report', campaign, '--out', page])).toMatchObject({ status: 0 });
      const html = readFileSync(page, 'utf8');
      for (const text of words) expect(readSection(html, 'Noted by the program')).toContain(text);
      expect(readSection(html, 'After the fact')).toContain('Nothing was noted');

      const out = join(work.folder, 'published');
      const published = await work.run(['publish', campaign, '--out', out]);
      expect(published, published.stderr).toMatchObject({ status: 0 });
      const all = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'));
      expect(all.join('\n')).not.toMatch(/secret|\.lock\b/);
      const readme = readFileSync(join(out, 'README.md'), 'utf8');
      expect(readme).toContain('What the program noted on the way');
      expect(readme).not.toContain('after the plan was fixed');
      expect(await work.run(['verify', out])).toMatchObject({ status: 0 });
    });
  },
);

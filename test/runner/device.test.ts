import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlainTrial } from '../../src/formats/trial.ts';
import { buildDeviceLibrary, findFreeEndpoint } from '../support/device-library.ts';
import { familyModels } from '../support/family-models.ts';
import { buildPreloadedLibrary, canPreload } from '../support/preloaded-library.ts';
import { encodeRandomModel } from '../support/random-gguf.ts';
import { createTrial, findRealBackend, runRunner, testCache } from '../support/real-backend.ts';

const backend = await findRealBackend();
type Family = keyof typeof familyModels;

// Layers, and the output as one more: all of two layers are 3.
describe.skipIf(backend.state === 'missing' || !canPreload)(
  'layers and caches on a device, without a GPU',
  () => {
    const files = new Map<Family, string>();
    let device: string;
    let lying: string;

    beforeAll(async () => {
      device = await buildDeviceLibrary();
      lying = await buildPreloadedLibrary(
        join(import.meta.dirname, 'lying-library.cpp'),
        'lying-on-a-device',
      );
    }, 120_000);
    afterAll(() =>
      Promise.all([...files.values(), lying].map((path) => rm(path, { force: true }))),
    );

    const fileOf = (family: Family): string => {
      const path = join(testCache, 'models', `device-${family}-${process.pid}.gguf`);
      if (!files.has(family)) writeFileSync(path, encodeRandomModel(familyModels[family], family));
      files.set(family, path);
      return path;
    };

    const run = async (
      family: Family,
      gpuLayers: number,
      changes: Partial<PlainTrial> = {},
      lie = '',
    ) => {
      if (backend.state === 'missing') throw new Error(backend.what);
      const trial = createTrial(fileOf(family), {
        devices: ['RPC0'],
        gpuLayers,
        repetitions: 1,
        ...changes,
      });
      const environment = {
        LD_PRELOAD: `${lying} ${device}`,
        LIE: lie,
        ENDPOINT: await findFreeEndpoint(),
      };
      const { lines } = await runRunner(backend.prepared, trial, environment);
      const last = lines.at(-1);
      if (last?.type === 'failure') return last.message;
      if (lines[0]?.type !== 'load' || last?.type !== 'end') throw new Error(JSON.stringify(lines));
      const { layersOffloaded, layersTotal, kvBuffers } = lines[0].applied;
      return {
        layers: `${layersOffloaded} of ${layersTotal}`,
        caches: kvBuffers.map(({ name }) => name.replace(/\[.*/, '')),
      };
    };

    test.each<[family: Family, caches: string[]]>([
      ['qwen2', ['RPC0']],
      ['qwen3moe', ['RPC0']],
      ['deepseek2', ['RPC0']],
      ['jamba', ['RPC0']],
      ['mamba', []],
      ['rwkv7', []],
    ])('%s: all on the device', async (family, caches) => {
      expect(await run(family, 3)).toEqual({ layers: '3 of 3', caches });
    });

    test('more layers than there are means all', async () => {
      expect(await run('qwen2', 99)).toEqual({ layers: '3 of 3', caches: ['RPC0'] });
    });

    test('a layer that keeps no keys is no reason to look for them in main memory', async () => {
      // The output and the second layer, which alone has attention.
      expect(await run('jamba', 2)).toEqual({ layers: '2 of 3', caches: ['RPC0'] });
      expect(await run('jamba', 1)).toEqual({ layers: '1 of 3', caches: ['CPU'] });
    });

    test('a layer that guesses a further token is counted, and computes nothing', async () => {
      expect(await run('guessing', 4)).toEqual({ layers: '3 of 3', caches: ['RPC0'] });
      expect(await run('guessing', 2)).toMatchObject({ layers: '1 of 3' });
    });

    test.each<Family>(['qwen2', 'mamba'])(
      '%s: a cache or state that lies elsewhere than asked is found',
      async (family) => {
        expect(await run(family, 3, { kvOffload: false })).toMatchObject({ layers: '3 of 3' });
        expect(await run(family, 3, {}, 'cache in main memory')).toMatch(
          /kvOffload: asked on, got a cache on the device: no, in main memory: yes/,
        );
      },
    );
  },
);

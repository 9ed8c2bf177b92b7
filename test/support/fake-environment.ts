import type { Environment } from '../../src/campaign/environment.ts';

/** A made-up machine, backend and program. */
export const fakeEnvironment: Environment = {
  device: 'CPU',
  fingerprint: {
    device: 'CPU',
    deviceDescription: 'Made-up CPU',
    deviceMemoryBytes: null,
    driver: null,
    cpuModel: 'Made-up CPU',
    cpuCount: 2,
    memoryBytes: 8_000_000_000,
    operatingSystem: 'linux',
    kernel: '6.1',
  },
  backend: {
    name: 'embedded',
    release: 'v0.4.0',
    commit: null,
    sourceTreeHash: null,
    patches: [],
    libraries: [{ name: 'libllama.so', bytes: 1, sha256: '1'.repeat(64) }],
    runner: { name: 'runner', bytes: 1, sha256: '2'.repeat(64) },
    runnerSourceSha256: '3'.repeat(64),
    description: {
      format: 'rooflaw-runner',
      formatVersion: 1,
      llamaRelease: 'v0.4.0',
      llamaCommit: null,
      sourceTreeHash: null,
      systemInfo: '',
      devices: [],
      compiler: 'none',
      operatingSystem: 'linux',
    },
  },
  program: { version: '0.1.0', gitCommit: null, gitDirty: null },
};

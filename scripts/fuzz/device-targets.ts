import { locateCpuGroups, parseCfsQuota, parseCpuMax } from '../../src/device/cpu-quota.ts';
import { parseCpuTime, shareCpuTime } from '../../src/device/cpu-time.ts';
import { diagnose } from '../../src/device/diagnose.ts';
import { describeCpu, parsePrettyName } from '../../src/device/machine-names.ts';
import type { MachineReadings } from '../../src/device/machine-readings.ts';
import { findGpuIndex, parseGpuList, parseStateLine } from '../../src/device/nvidia.ts';
import { judgeCpuUse, judgeGpuUse, parseOwnTicks } from '../../src/device/other-use.ts';
import { countPhysicalCores } from '../../src/device/physical-cores.ts';
import { hashSpecimen } from '../../src/device/specimen.ts';
import { RooflawError } from '../../src/errors.ts';
import { deviceStateSchema } from '../../src/formats/ledger.ts';
import { canonicalJson } from '../../src/hash.ts';
import { toPrintable } from '../../src/printable.ts';
import { type Target, toBytes, toText } from './target.ts';

/** As nvidia-smi 580 prints them: the list of GPUs, and the state of one. */
const list = Array.from(
  { length: 8 },
  (_, index) => `${index}, GPU-1111111${index}-2222-3333-4444-555555555555, NVIDIA H200\n`,
).join('');
const state = '1980, 3201, 30, 76.90, 0x0000000000000001, 0, 4, Enabled\n';
const warning = 'WARNING: infoROM is corrupted at gpu 0000:3B:00.0\n';

/** As Linux 6.1 writes them. */
const cpuinfo = [0, 1]
  .map(
    (cpu) =>
      `processor\t: ${cpu}\nmodel name\t: Intel(R) Xeon(R)\nphysical id\t: 0\nsiblings\t: 2\ncore id\t\t: ${cpu}\ncpu cores\t: 2\n\n`,
  )
  .join('');
const texts = [
  'cpu  10132153 290696 3084719 46828483 16683 0 25195 175628 0 0\ncpu0 1393280 32966 572056\n',
  cpuinfo,
  'processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n',
  '12:cpu,cpuacct:/docker/0a1b\n1:name=systemd:/\n0::/user.slice/session-1.scope\n',
  '200000 100000\n',
  'max 100000\n',
  '-1\n',
  '0-3,8,10-11\n',
  '4242 (node (x) y) S 1 4242 4242 0 -1 4194560 1 2 3 4 250 31 7 2 20 0 11 0 5012345 0 0\n',
  'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\n',
  '0123456789abcdef0123456789abcdef\n',
];

/** All that `doctor` would say where everything else could not be read. */
const unread: MachineReadings = {
  ...{ allowedCpuCount: 2, cpuQuota: null, governors: null, turbo: null, cpuShares: null },
  ...{ hypervisor: null, container: null, swap: null, onBattery: null },
  ...{ thermalThrottleEvents: null, gpus: null },
};

const sayAll = (machine: MachineReadings) =>
  diagnose(machine, 2)
    .map(({ what, seen, advice }) => toPrintable(`${what} ${seen} ${advice}`))
    .join('\n');

export const deviceTargets: readonly Target[] = [
  {
    name: 'nvidia-smi',
    kind: 'csv',
    corpus: () => [list, state, `${warning}${state}`].map(toBytes),
    words: [', ', '[N/A]', '[Not Supported]', 'ERR!', 'GPU-', 'MIG-', '0x', '\n\n', 'NVIDIA H200'],
    read(input) {
      const text = toText(input);
      const gpus = parseGpuList(text);
      const device = { name: 'CUDA0', description: 'NVIDIA H200' };
      const visible = [undefined, '0,1', text.slice(0, 1000)];
      const found = visible.map((wish) => findGpuIndex(device, gpus, wish));
      const uuid = gpus.find(({ index }) => index === found[0])?.uuid ?? null;
      const specimen = hashSpecimen('gpu', { gpuUuid: uuid, machineId: null, productUuid: null });
      const states = text.split('\n').map(parseStateLine);
      const readings = states.find((one) => one !== null);
      if (readings === undefined) {
        if (gpus.length === 0) throw new RooflawError('invalid-input', 'neither list nor state');
        return toPrintable(`${found.join()} ${specimen}`);
      }
      const otherUse = judgeGpuUse(readings.memoryUsedMiB);
      const kept = { source: 'nvidia-smi', readNs: 1, readings, otherUse };
      if (canonicalJson(deviceStateSchema.parse(kept)).length > 2000)
        throw new Error('is too long');
      const gpu = { index: '0', name: 'NVIDIA H200', computeProcesses: null, ...readings };
      return sayAll({ ...unread, gpus: [gpu] });
    },
  },
  {
    name: 'device-readings',
    kind: 'fields',
    corpus: () => texts.map(toBytes),
    words: ['0-999999', '0-999999,', '\n\n', 'core id\t: 1\n', 'cpu ', 'model name', '0::/', ') '],
    read(input) {
      const text = toText(input);
      const time = parseCpuTime(text);
      const later = time && { ...time, totalTicks: time.totalTicks + 100 };
      const use = time && { machine: time, ownTicks: parseOwnTicks(text) ?? 0 };
      const groups = locateCpuGroups(text);
      if (groups.some(({ folder }) => !folder.startsWith('/sys/fs/cgroup'))) {
        throw new Error('a group elsewhere');
      }
      const siblings = new Map([[0, text]]);
      const told = [
        ...[describeCpu(text, undefined), parsePrettyName(text), parseOwnTicks(text)],
        ...[parseCpuMax(text), parseCfsQuota(text, text), groups.length],
        ...[
          judgeCpuUse(use, use, text).otherUse,
          countPhysicalCores({ siblings, cpuinfo: text, allowedList: text }),
        ],
        hashSpecimen('cpu', { gpuUuid: null, machineId: text, productUuid: text }),
      ];
      if (told.every((one) => one === null)) throw new RooflawError('invalid-input', 'nothing');
      const cpuQuota = parseCpuMax(text);
      const said = sayAll({ ...unread, cpuShares: shareCpuTime(time, later), cpuQuota });
      return `${toPrintable(told.join(' '))}\n${said}`;
    },
  },
];

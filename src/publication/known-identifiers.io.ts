import { homedir, hostname, networkInterfaces, userInfo } from 'node:os';
import { queryGpus } from '../device/nvidia-smi.io.ts';
import { readSystemText } from '../device/system-text.io.ts';
import type { Identifier } from './find-identifiers.ts';

/** Files of Linux that hold a number of this very machine. */
const identityFiles: readonly (Identifier & { kind: string })[] = [
  { kind: 'machine id', text: '/etc/machine-id' },
  { kind: 'machine id', text: '/var/lib/dbus/machine-id' },
  { kind: 'boot id', text: '/proc/sys/kernel/random/boot_id' },
  ...['product_serial', 'product_uuid', 'board_serial', 'chassis_serial'].map((file) => ({
    kind: 'serial number',
    text: `/sys/class/dmi/id/${file}`,
  })),
];

/** What makers write where there is no number. */
const noNumber =
  /^(?:|0+|none|unknown|default string|to be filled.*|not (?:specified|applicable)|system serial number|\[?n\/a\]?)$/i;

/** Names and numbers of this machine and its user, as far as they can be read. They are only compared. */
export async function readKnownIdentifiers(): Promise<Identifier[]> {
  const host = hostname();
  const { username } = userInfo();
  const known: Identifier[] = [
    { kind: 'host name', text: host },
    { kind: 'host name', text: host.split('.')[0]! },
    { kind: 'user name', text: username },
    { kind: 'home folder', text: homedir() },
    ...identityFiles.map(({ kind, text }) => ({ kind, text: readSystemText(text) ?? '' })),
    ...Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal }) => !internal)
      .flatMap(({ mac, address }) => [
        { kind: 'MAC address', text: mac },
        { kind: 'IP address', text: address },
      ]),
    ...(await readGpuNumbers()),
  ];
  const texts = new Set<string>();
  return known
    .map(({ kind, text }) => ({ kind, text: text.trim() }))
    .filter(
      ({ text }) => !noNumber.test(text) && text !== '/' && !texts.has(text) && texts.add(text),
    );
}

async function readGpuNumbers(): Promise<Identifier[]> {
  const lines = await queryGpus(['serial', 'uuid', 'pci.bus_id']);
  return (lines ?? '').split('\n').flatMap((line) => {
    const [serial = '', uuid = '', address = ''] = line.split(',');
    return [
      { kind: 'GPU serial number', text: serial },
      { kind: 'GPU UUID', text: uuid },
      { kind: 'PCI address', text: address },
    ];
  });
}

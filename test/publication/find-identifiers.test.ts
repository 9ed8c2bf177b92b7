import { expect, test } from 'vitest';
import { describeFinding, findIdentifiers } from '../../src/publication/find-identifiers.ts';

const find = (text: string, allowed: readonly string[] = [], name = 'README.md') =>
  findIdentifiers({ name, text }, [], allowed).map(({ kind, text: found }) => `${kind}: ${found}`);
const known = [
  { kind: 'host name', text: 'gpu-node-07' },
  { kind: 'user name', text: 'ann' },
  { kind: 'user name', text: 'ubuntu' },
  { kind: 'home folder', text: '/home/ubuntu' },
];

test.each([
  ['GPU-4f1c2a3b-0d9e-11ee-be56-0242ac120002', 'UUID (GPU, boot or machine)'],
  ['MIG-4f1c2a3b-0d9e-11ee-be56-0242ac120002', 'UUID (GPU, boot or machine)'],
  ['f207a661-c5ef-4963-90e8-38b0f1069dac', 'UUID (GPU, boot or machine)'],
  ['0123456789abcdef0123456789ABCDEF', 'machine id'],
  ['serial: 1654023000123', 'serial number'],
  ['Serial Number PF3XK2L9', 'serial number'],
  ['00000000:1B:00.0', 'PCI address'],
  ['0000:01:00.0', 'PCI address'],
  ['3b:00.1', 'PCI address'],
  ['02:42:ac:11:00:02', 'MAC address'],
  ['02-42-AC-11-00-02', 'MAC address'],
  ['10.0.0.1', 'IP address'],
  ['192.168.178.255', 'IP address'],
  ['2001:0db8:85a3:0000:0000:8a2e:0370:7334', 'IP address'],
  ['fe80::42:acff:fe11:2', 'IP address'],
  ['::1', 'IP address'],
  ['ann@gpu-node-07', 'user or e-mail address'],
  ['ann.b+c@example.org', 'user or e-mail address'],
  ['/home/ann/models/x.gguf', 'path'],
  ['/Users/ann', 'path'],
  ['/root', 'path'],
  ['/mnt/data/', 'path'],
  ['~/models', 'path'],
  ['~ann/models', 'path'],
  ['C:\\Users\\ann', 'path'],
  ['D:/data/x', 'path'],
  ['\\\\fileserver\\share', 'path'],
  ['file:///srv/x', 'path'],
  ['S/N: 1234567', 'serial number'],
  ['SN 1234567', 'serial number'],
  ['serial number is 1234567', 'serial number'],
  ['02fc.0000.0001', 'MAC address'],
  ['ip10.0.0.1', 'IP address'],
  ['ip-10-0-0-1', 'IP address'],
  ['smb://fileserver/share', 'path'],
  ['$HOME/models', 'path'],
  ['$USERPROFILE\\models', 'path'],
  ['%USERPROFILE%\\models', 'path'],
  ['..\\..\\Users\\bob', 'path'],
  ['../../home/bob/x', 'path'],
  ['home/bob/.cache', 'path'],
  ["…/o'brien/m.gguf", 'path'],
  ['…/alice smith/my models/bad', 'path'],
])('%s is found as a %s, alone and in a sentence', (text, kind) => {
  expect(find(text)).toEqual([`${kind}: ${text}`]);
  expect(find(`It was (${text}) that day.`)).toEqual([`${kind}: ${text}`]);
});

test.each([
  '580.159.04',
  'v1.2.3.4',
  'libcublas.so.12.8.4.1',
  'CUDA 12.8.4.1 and driver 580.159.4.1',
  'version 1.2.3.4',
  '300.1.2.3',
  '2026-11-29T13:49:32.023Z',
  '13:49:32.5',
  '87117111d79e1c0f682af7e512bb74d03b4c2e5f8d4e415595cd7500eefc9c07',
  '48e985756788b4a6c50933a88e0af1aa8412b68d',
  'https://spdx.org/licenses/CC-BY-4.0.html',
  'http://mlcommons.org/croissant/1.0',
  'model-not-loaded: …/m.gguf: 3/4, …/lib.so, a/b',
  'tokens/s, n/a, 501/512, text/csv, and/or',
  'node-llama-cpp@3.21.1',
  '"@context": "@language", "@type"',
  'sc:Text, cr:recordSet',
  '97074549,0.0024568979637839216,4334000000',
  'Intel(R) Xeon(R) Processor, 6.18.44-fc-v657-gpu',
  'serial execution of 12 trials',
  'a = b :: c',
  'the users of home automation',
  '1234.5678,0.0024 and 5 sn',
])('%s is no finding', (text) => {
  expect(find(text)).toEqual([]);
});

test('names of this machine are found as whole words, whatever the case where they are no plain word', () => {
  const lines = [
    'on GPU-Node-07 again', // a host name has no case
    'Ubuntu 24.04.3 LTS', // the system, not the user
    'the user ann said',
    'kubuntu, gpu-node-070, annual, joann',
    'in /home/ubuntu',
    'Ann is no user here',
  ];
  const found = findIdentifiers({ name: 'plan.json', text: lines.join('\n') }, known, []);
  expect(found.map(({ line, kind, text }) => [line, kind, text])).toEqual([
    [1, 'host name', 'GPU-Node-07'],
    [3, 'user name', 'ann'],
    [5, 'home folder', '/home/ubuntu'],
  ]);
});

test.each([
  ['node7', 'Node7-pilot', 'host name', 'Node7'],
  ['node7', 'my_node7_pilot', 'host name', 'node7'],
  ['gpu7', 'gpu7-pilot.csv', 'host name', 'gpu7'],
  ['vm', 'vm-pilot', 'host name', 'vm'],
  ['vm', 'VM-pilot', 'host name', 'VM'],
  ['ann', 'ann_box', 'user name', 'ann'],
  ['ann', 'box.ann', 'user name', 'ann'],
  ['root', 'root_box', 'user name', 'root'],
  ['root', 'by root@', 'user name', null],
  ['root', 'box:root', 'user name', 'root'],
  ['root', 'the root cause', 'user name', null],
  ['root', 'its root: a fan. At the root.', 'user name', null],
  ['user', 'each user', 'user name', null],
  ['user', 'Multi-User mode', 'user name', null],
  ['ubuntu', 'Ubuntu 24.04.3, 13.3.0-6ubuntu2', 'host name', null],
])('with the name %s, %j is the %s %j', (name, text, kind, expected) => {
  const found = findIdentifiers({ name: 'README.md', text }, [{ kind, text: name }], []);
  expect(found.map((finding) => [finding.kind, finding.text])).toEqual(
    expected === null ? [] : [[kind, expected]],
  );
});

test('strings of JSON are read as they are meant, each on its own line', () => {
  const text = JSON.stringify(
    { a: 'C:\\Users\\ann', b: 'line one.\nnext/line', c: '\u002fhome\u002fann', d: 'x\ty' },
    null,
    2,
  ).replace('/home/ann', '\\u002fhome\\u002fann');
  expect(
    findIdentifiers({ name: 'plan.json', text }, [], []).map(({ line, text: found }) => [
      line,
      found,
    ]),
  ).toEqual([
    [2, 'C:\\Users\\ann'],
    [4, '/home/ann'],
  ]);
});

test('what somebody has looked at and allowed is no finding, but only exactly that', () => {
  expect(find('10.0.0.1 and 10.0.0.12', ['10.0.0.1'])).toEqual(['IP address: 10.0.0.12']);
  expect(find('/opt/10.0.0.1/x', ['/opt/10.0.0.1/x'])).toEqual([]);
});

test('a finding names file, line and kind', () => {
  expect(describeFinding({ file: 'plan.json', line: 7, kind: 'path', text: '/home/ann' })).toEqual({
    where: 'plan.json line 7',
    what: 'looks like a path: /home/ann',
  });
});

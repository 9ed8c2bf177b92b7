import { expect, test } from 'vitest';
import { readLibraryTargets } from '../../src/backend/library-target.ts';

/** The start of a file: numbers as bytes, each at its place. */
function header(bytes: Record<number, number[]>): Uint8Array {
  const result = new Uint8Array(512);
  for (const [at, values] of Object.entries(bytes)) result.set(values, Number(at));
  return result;
}

const elf = [0x7f, 0x45, 0x4c, 0x46, 2];

test.each([
  ['x64', [62, 0]],
  ['arm64', [183, 0]],
  ['riscv64', [243, 0]],
  ['ELF machine 21', [21, 0]],
])('an ELF file for %s', (arch, machine) => {
  expect(readLibraryTargets(header({ 0: [...elf, 1], 18: machine }))).toEqual([
    { platform: 'linux', arch },
  ]);
});

test('a big-endian ELF file keeps its machine number', () => {
  expect(readLibraryTargets(header({ 0: [...elf, 2], 18: [0, 183] }))).toEqual([
    { platform: 'linux', arch: 'arm64' },
  ]);
});

test('a Mach-O file for one processor, and one for two', () => {
  expect(readLibraryTargets(header({ 0: [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1] }))).toEqual([
    { platform: 'darwin', arch: 'arm64' },
  ]);
  const universal = header({
    0: [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2],
    8: [1, 0, 0, 7],
    28: [1, 0, 0, 0x0c],
  });
  expect(readLibraryTargets(universal)).toEqual([
    { platform: 'darwin', arch: 'x64' },
    { platform: 'darwin', arch: 'arm64' },
  ]);
});

test('a Windows DLL', () => {
  const dll = { 0: [0x4d, 0x5a], 60: [128, 0, 0, 0], 128: [0x50, 0x45, 0, 0, 0x64, 0xaa] };
  expect(readLibraryTargets(header(dll))).toEqual([{ platform: 'win32', arch: 'arm64' }]);
});

test('text, an empty file and a cut header are no libraries', () => {
  expect(readLibraryTargets(new TextEncoder().encode('version https://git-lfs'.repeat(9)))).toEqual(
    [],
  );
  expect(readLibraryTargets(new Uint8Array())).toEqual([]);
  expect(readLibraryTargets(Uint8Array.from(elf))).toEqual([]);
  expect(readLibraryTargets(header({ 0: [0x4d, 0x5a], 60: [255, 255, 255, 255] }))).toEqual([]);
});

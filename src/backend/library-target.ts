/** What a shared library was built for, in the words of Node's own platform and architecture names. */
export interface LibraryTarget {
  platform: 'linux' | 'darwin' | 'win32';
  /** A processor family, or the file's own number for one that is not known here. */
  arch: string;
}

/** Enough of a file for each of the three headers. */
export const headerBytes = 4096;

/** e_machine, elf.h */
const elfMachines: Record<number, string> = {
  3: 'ia32',
  40: 'arm',
  62: 'x64',
  183: 'arm64',
  243: 'riscv64',
};
/** cputype, mach/machine.h */
const machOTypes: Record<number, string> = { 16777223: 'x64', 16777228: 'arm64' };
/** Machine, Microsoft PE format */
const peMachines: Record<number, string> = { 332: 'ia32', 34404: 'x64', 43620: 'arm64' };

/**
 * Reads the header of an ELF, Mach-O or PE file.
 * @returns every target in it (a universal Mach-O file has several); none when it is no library.
 */
export function readLibraryTargets(header: Uint8Array): LibraryTarget[] {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (view.byteLength < 64) return [];
  const magic = view.getUint32(0);
  if (magic === 0x7f454c46) {
    const littleEndian = view.getUint8(5) === 1;
    const machine = view.getUint16(18, littleEndian);
    return [{ platform: 'linux', arch: elfMachines[machine] ?? `ELF machine ${machine}` }];
  }
  if (magic === 0xcffaedfe) return [machOTarget(view.getUint32(4, true))];
  if (magic === 0xcafebabe) {
    const count = Math.min(view.getUint32(4), Math.floor((view.byteLength - 8) / 20));
    return Array.from({ length: count }, (_, at) => machOTarget(view.getUint32(8 + 20 * at)));
  }
  if (view.getUint16(0) === 0x4d5a) {
    const start = view.getUint32(0x3c, true);
    if (start + 6 > view.byteLength || view.getUint32(start) !== 0x50450000) return [];
    const machine = view.getUint16(start + 4, true);
    return [{ platform: 'win32', arch: peMachines[machine] ?? `PE machine ${machine}` }];
  }
  return [];
}

function machOTarget(type: number): LibraryTarget {
  return { platform: 'darwin', arch: machOTypes[type] ?? `Mach-O CPU type ${type}` };
}

import { expect, test } from 'vitest';
import { describeCpu, parsePrettyName } from '../../src/device/machine-names.ts';

test('a CPU has its model name on x86 and its numbers on Arm', () => {
  const x86 = 'processor\t: 0\nmodel\t\t: 207\nmodel name\t: Intel(R) Xeon(R) Processor\n';
  const arm = 'processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd4f\n';
  expect(describeCpu(x86, 'other')).toBe('Intel(R) Xeon(R) Processor');
  expect(describeCpu(arm, 'unknown')).toBe('implementer 0x41 part 0xd4f');
  expect(describeCpu(null, ' Apple M4 ')).toBe('Apple M4');
  expect(describeCpu(null, undefined)).toBe('unknown');
});

test('an operating system has its pretty name', () => {
  const osRelease =
    'NAME="Debian GNU/Linux"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian';
  expect(parsePrettyName(osRelease)).toBe('Debian GNU/Linux 12 (bookworm)');
  expect(parsePrettyName(null)).toBeNull();
});

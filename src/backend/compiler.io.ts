import { RooflawError } from '../errors.ts';
import { runTool } from './run-tool.io.ts';

export interface Compiler {
  /** The program and arguments that always go with it, as in CXX="ccache g++". */
  command: string;
  baseArguments: string[];
  /** First line of what `--version` prints. */
  version: string;
}

const usualNames = ['c++', 'g++', 'clang++'];

const packageHint: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'install one: `apt install g++` on Debian and Ubuntu, `dnf install gcc-c++` on Fedora',
  darwin: 'install one: `xcode-select --install`',
  win32: 'install one: `winget install -e --id BrechtSanders.WinLibs.POSIX.UCRT` (MinGW-w64)',
};

/**
 * The C++ compiler that CXX names, or the first usual one that works.
 * @throws RooflawError `no-compiler`
 */
export async function findCompiler(
  environment: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<Compiler> {
  const chosen = environment.CXX?.trim();
  const candidates = chosen ? [chosen] : usualNames;
  for (const candidate of candidates) {
    const [command = '', ...baseArguments] = candidate.split(/\s+/);
    const options = { env: environment, signal };
    const { exitStatus, stdout } = await runTool(command, [...baseArguments, '--version'], options);
    // macOS has a c++ that only says how to install the real one.
    if (exitStatus !== 0) continue;
    return { command, baseArguments, version: stdout.split('\n')[0] ?? '' };
  }
  throw new RooflawError(
    'no-compiler',
    chosen
      ? `the C++ compiler that CXX names does not work: ${chosen}`
      : `no C++ compiler was found (${usualNames.join(', ')})`,
    { hint: packageHint[process.platform] ?? 'install g++ or clang++, or name a compiler in CXX' },
  );
}

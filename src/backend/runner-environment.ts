import { delimiter } from 'node:path';
import type { PreparedBackend } from './prepared-backend.ts';

/**
 * What a process needs to start, and which GPUs it sees. Everything else stays out: variables such
 * as GGML_*, LLAMA_*, OMP_* or LD_PRELOAD change what a trial costs and are recorded nowhere.
 */
const passedOn = [
  'HOME',
  'USERPROFILE',
  'LANG',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'CUDA_VISIBLE_DEVICES',
  'CUDA_DEVICE_ORDER',
  'HIP_VISIBLE_DEVICES',
  'ROCR_VISIBLE_DEVICES',
  'ONEAPI_DEVICE_SELECTOR',
  'VK_DRIVER_FILES',
  'VK_ICD_FILENAMES',
];

/** Where the loaders of Linux, macOS and Windows look for libraries first. */
const librarySearchPaths = ['LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'PATH'];

/**
 * The whole environment that the runner is started with. The libraries of the backend come first in
 * every search path, so that no other llama.cpp on the machine is loaded; their folder is no part of
 * the runner itself, so equal sources and libraries give the same runner everywhere.
 */
export function runnerEnvironment(
  prepared: Pick<PreparedBackend, 'libraryDirectory'>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  // Windows does not tell Path from PATH.
  const given = new Map(
    Object.entries(environment).map(([name, value]) => [name.toUpperCase(), value]),
  );
  const result: Record<string, string> = {};
  for (const name of passedOn) {
    const value = given.get(name);
    if (value !== undefined) result[name] = value;
  }
  for (const name of librarySearchPaths) {
    const rest = given.get(name);
    result[name] = [prepared.libraryDirectory, ...(rest ? [rest] : [])].join(delimiter);
  }
  return result;
}

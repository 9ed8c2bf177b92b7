/** The three libraries that the runner is linked to, by file name. */
export interface LinkedLibraries {
  llama: string;
  ggml: string;
  ggmlBase: string;
}

/** Shared libraries of Linux (`libllama.so.0.4`), macOS (`libllama.0.dylib`) and Windows. */
const sharedLibrary =
  /^(?:lib)?(?<stem>[A-Za-z0-9_-]+)(?<version>[.v0-9]*)\.(?:so(?:\.[0-9.]+)?|dylib|dll)$/;

/** What the runner can come to load: llama.cpp's core, its backends, and CUDA beside them. */
const loadable = /^(?:llama|ggml|ggml-[a-z0-9_.-]+|cudart[0-9_]*|cublas(?:Lt)?[0-9_]*)$/i;

function stemOf(fileName: string): string | undefined {
  return sharedLibrary.exec(fileName)?.groups?.stem;
}

/** Finds the three among the names of a folder's files; the shortest name of each, which is the link
 * that compilers use. `undefined` for those that are not there. */
export function findLinkedLibraries(fileNames: readonly string[]): Partial<LinkedLibraries> {
  const named = (stem: string) =>
    fileNames
      .filter((name) => stemOf(name) === stem)
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
  const [llama, ggml, ggmlBase] = [named('llama'), named('ggml'), named('ggml-base')];
  return {
    ...(llama === undefined ? {} : { llama }),
    ...(ggml === undefined ? {} : { ggml }),
    ...(ggmlBase === undefined ? {} : { ggmlBase }),
  };
}

/** The files among them whose bytes can decide what a trial costs. */
export function selectLoadableLibraries(fileNames: readonly string[]): string[] {
  return fileNames.filter((name) => loadable.test(stemOf(name) ?? '')).sort();
}

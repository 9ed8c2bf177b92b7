/** What may stand in a place: `campaigns` and `files` are found by the shell, others are lists. */
export interface Vocabulary {
  /** By the name that a script uses for it. */
  lists: Map<string, readonly string[]>;
  levels: Level[];
}

/** A command and what may follow it. */
export interface Level {
  /** `rooflaw space show` */
  path: string;
  subcommands: string[];
  options: { flags: string[]; value: string | null }[];
  /** What each argument is; the last one again and again where it is variadic. */
  values: string[];
  isVariadic: boolean;
}

/** Files may stand where these are asked for. */
export const alsoFiles = ['files', 'campaigns', 'protocols', 'spaces'];

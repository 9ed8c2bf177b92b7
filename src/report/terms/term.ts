/** One word of rooflaw's outputs, explained. All texts are plain, without markup. */
export interface Term {
  /** As it is printed most often. */
  name: string;
  /** Other ways it is printed or asked for; `#` stands for any number: `KV S#`. */
  aliases: readonly string[];
  /** One or two sentences. The first must stand for itself: lists show it alone. */
  meaning: string;
  /** By command, where the word means something else in each, or is followed by another rule. */
  senses?: Readonly<Record<string, string>>;
  /** What it is easily taken for. */
  isNot: string;
  /** Formula or rule with its numbers; null where the meaning says it all. */
  rule: string | null;
  /** Page of the documentation, and where the method comes from. */
  source: string;
  /** Names of other terms. */
  related: readonly string[];
}

/** Terms that belong together, in the order of their explanation. */
export interface Subject {
  title: string;
  terms: readonly Term[];
}

/** Where one line of a ledger ends; by the chain, its hash stands for all lines up to there. */
export interface LedgerPoint {
  /** Lines up to here. */
  lines: number;
  /** SHA-256 of the last of them, without its newline. */
  sha256: string;
  /** Size of all of them, with their newlines. */
  bytes: number;
}

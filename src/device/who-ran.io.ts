// PLACEHOLDER until the real one is here; replace the whole file.
import type { WhoRan } from '../formats/who-ran.ts';
export function createWhoRanSampler(_options: { intervalMs: number; procRoot?: string }) {
  return { start(_pid: number): void {}, stop(): WhoRan | null { return null; } };
}
export function whoRanAvailability(): string | null { return 'placeholder'; }

import type { Protocol } from '../formats/protocol.ts';

export interface IdleWait {
  waitedNs: number;
  /** null: the device's utilisation cannot be read here. */
  idle: boolean | null;
}

/**
 * Waits until a device's utilisation is low enough or the time is up; the end of the measuring
 * window that was open then still counts.
 */
export async function waitForIdle(
  { maxSeconds, maxUtilisation }: NonNullable<Protocol['idleWait']>,
  ports: {
    /** Share of the device in use over a short window, 0 to 1; null when it cannot be read. */
    readUtilisation(): Promise<number | null>;
    nowNs(): bigint;
    stopped(): boolean;
  },
): Promise<IdleWait> {
  const began = ports.nowNs();
  for (;;) {
    const utilisation = await ports.readUtilisation();
    const waitedNs = Number(ports.nowNs() - began);
    if (utilisation === null) return { waitedNs, idle: null };
    if (utilisation <= maxUtilisation) return { waitedNs, idle: true };
    if (waitedNs >= maxSeconds * 1e9 || ports.stopped()) return { waitedNs, idle: false };
  }
}

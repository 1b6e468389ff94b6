import { pause, type Clock, type Logger } from '@outdial/kernel';
import { RowRejected } from '../ports/accept-store.ts';
import type { DriveStore } from '../ports/drive-store.ts';

export type HeardOptOut = Parameters<DriveStore['optOut']>[0];

export interface KeepOptOutDeps {
  readonly store: Pick<DriveStore, 'optOut'>;
  readonly clock: Clock;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;

/**
 * Stores an opt-out in a call that another worker owns by now, or has ended: no settlement of ours carries it. Retries until
 * Postgres is back or `abandoned` aborts.
 */
export async function keepOptOut(
  { store, clock }: KeepOptOutDeps,
  heard: HeardOptOut,
  logger: Logger,
  abandoned: AbortSignal,
): Promise<void> {
  let trying = heard;
  for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
    try {
      await store.optOut(trying);
      return;
    } catch (error) {
      logger.debug({ event: 'call.write_failed', err: error }, 'a write of a call failed');
      // The note is the callee's words, and Postgres may reject them.
      if (error instanceof RowRejected) trying = { ...trying, note: null };
    }
    if (abandoned.aborted) return;
    await pause(clock, delayMs, abandoned);
  }
}

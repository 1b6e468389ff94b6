import type { Database } from '../database.ts';

/** A batch takes some tens of milliseconds. */
const BATCH_CALLS = 500;

/**
 * Adds ended calls to the totals in batches until none is left. Any number of workers may call it at once: one counts and
 * the others return. A batch that fails counts nothing.
 */
export async function countEndedCalls({ side }: Database, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    if (stopping?.aborted === true) return;
    const [row] = await side.$queryRaw<{ looked: number }[]>`SELECT count_ended_calls(${BATCH_CALLS}::int) AS looked`;
    if (row === undefined || row.looked === 0) return;
  }
}

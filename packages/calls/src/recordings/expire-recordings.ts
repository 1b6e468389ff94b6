import type { RecordedCalls } from '../ports/recorded-calls.ts';
import type { RecordingInventory } from '../ports/recording-store.ts';

export interface ExpireRecordingsDeps {
  readonly inventory: RecordingInventory;
  readonly recordedCalls: Pick<RecordedCalls, 'expire'>;
  readonly retentionDays: number;
}

/**
 * One walk over the store, batch by batch: deletes the recordings of calls that ended too long ago. The calls are updated
 * first, so that none offers a deleted recording; a walk that breaks off in between is finished by the next one. Every
 * worker may run it, also several at once.
 * @returns the number of calls whose recording was deleted.
 */
export async function expireRecordings(deps: ExpireRecordingsDeps, stopping: AbortSignal): Promise<number> {
  const { inventory, recordedCalls, retentionDays } = deps;
  let expired = 0;
  for await (const callIds of inventory.list()) {
    if (stopping.aborted) break;
    const due = await recordedCalls.expire({ callIds, retentionDays });
    await inventory.remove(due);
    expired += due.length;
  }
  return expired;
}

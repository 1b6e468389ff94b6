import type { RecordedCalls } from '../ports/recorded-calls.ts';
import type { RecordingInventory } from '../ports/recording-store.ts';

export interface ExpireRecordingsDeps {
  readonly inventory: RecordingInventory;
  readonly recordedCalls: Pick<RecordedCalls, 'expire'>;
  readonly retentionDays: number;
}

/**
 * One walk over the store, batch by batch: recordings of calls that ended too long ago are deleted. Their calls say so
 * first, so that none promises what is gone; a walk that is cut short in between is finished by the next one. Every
 * worker may do it, also several at once.
 * @returns of how many calls the recording was deleted.
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

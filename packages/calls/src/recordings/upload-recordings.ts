import type { EndedCallRecording, RecordedCalls } from '../ports/recorded-calls.ts';
import type { RecordingOutbox, RecordingStore } from '../ports/recording-store.ts';

export interface UploadRecordingsDeps {
  readonly outbox: RecordingOutbox;
  readonly recordings: Pick<RecordingStore, 'keyOf'>;
  readonly recordedCalls: Pick<RecordedCalls, 'ended' | 'markStored' | 'markMissing'>;
  readonly workerId: string;
}

/** Enough to use the connection to the store; few enough to leave memory and disk to the calls. */
const MAX_CONCURRENT_UPLOADS = 4;
/** After this many failures the store is taken to be away, and the rest is left to the next round. */
const MAX_FAILURES = 8;
/** Workers of one machine share a folder. Other workers' recordings are touched only after their worker had its time. */
const OTHERS_AFTER_MS = 60_000;

/**
 * One round over the recordings on this machine: those of ended calls go to the store, then their calls are updated, and
 * only then are they removed here. A process that dies in between has this repeated.
 * @returns the number of stored recordings. Rejects with the first failure after it has tried the others.
 */
export async function uploadRecordings(deps: UploadRecordingsDeps, stopping: AbortSignal): Promise<number> {
  const round = { uploaded: 0, failures: new Array<unknown>() };
  const isOver = () => stopping.aborted || round.failures.length >= MAX_FAILURES;
  for await (const callIds of deps.outbox.list()) {
    const { recordedCalls, workerId } = deps;
    // One iterator for all lanes: each recording goes to the next free lane.
    const ended = (await recordedCalls.ended({ callIds, workerId, othersAfterMs: OTHERS_AFTER_MS })).values();
    const lane = async () => {
      for (const recording of ended) {
        if (isOver()) return;
        try {
          if (await deliver(deps, recording, stopping)) round.uploaded += 1;
        } catch (error) {
          round.failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_UPLOADS }, lane));
    if (isOver()) break;
  }
  if (round.failures.length > 0 && !stopping.aborted) throw round.failures[0];
  return round.uploaded;
}

async function deliver(
  { outbox, recordings, recordedCalls }: UploadRecordingsDeps,
  { callId, isRecorded }: EndedCallRecording,
  stopping: AbortSignal,
): Promise<boolean> {
  const outcome = isRecorded ? await outbox.upload(callId, stopping) : 'unplayable';
  if (outcome === 'gone') return false;
  if (outcome === 'stored') await recordedCalls.markStored({ callId, key: recordings.keyOf(callId) });
  else await recordedCalls.markMissing(callId);
  await outbox.discard(callId);
  return outcome === 'stored';
}

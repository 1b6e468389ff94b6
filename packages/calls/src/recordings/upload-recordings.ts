import type { EndedCallRecording, RecordedCalls } from '../ports/recorded-calls.ts';
import type { RecordingOutbox, RecordingStore } from '../ports/recording-store.ts';

export interface UploadRecordingsDeps {
  readonly outbox: RecordingOutbox;
  readonly recordings: Pick<RecordingStore, 'keyOf'>;
  readonly recordedCalls: Pick<RecordedCalls, 'ended' | 'markStored' | 'markMissing'>;
  readonly workerId: string;
}

/** Enough to fill a line to the store; few enough to leave memory and disk to the calls. */
const UPLOADS_AT_ONCE = 4;
/** After so many the store is taken to be away, and the rest is left to the next round. */
const MOST_FAILURES = 8;
/** Workers of one machine share a folder. The others' recordings are touched only once their worker had its time. */
const OTHERS_AFTER_MS = 60_000;

/**
 * One round over the recordings that lie on this machine: those of ended calls go to the store, their calls are told,
 * and only then are they removed here. A process that dies anywhere in between has this repeated.
 * @returns how many are in the store now. Rejects with the first failure once it has done what could be done.
 */
export async function uploadRecordings(deps: UploadRecordingsDeps, stopping: AbortSignal): Promise<number> {
  const round = { uploaded: 0, failures: new Array<unknown>() };
  const isOver = () => stopping.aborted || round.failures.length >= MOST_FAILURES;
  for await (const callIds of deps.outbox.list()) {
    const { recordedCalls, workerId } = deps;
    // One iterator for all lanes: each recording goes to whichever lane is free.
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
    await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, lane));
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

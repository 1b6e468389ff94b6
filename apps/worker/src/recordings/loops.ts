import { expireRecordings, uploadRecordings, type RecordedCalls } from '@outdial/calls';
import type { Clock, Logger } from '@outdial/kernel';
import type { Recordings } from '@outdial/recordings';
import { startLoop, type Loop } from '../loops/loop.ts';

const EXPIRE_INTERVAL_MS = 24 * 3_600_000;

export interface RecordingLoopsDeps {
  readonly recordings: Pick<Recordings, 'store' | 'inventory' | 'outbox'>;
  readonly recordedCalls: RecordedCalls;
  /** Null: recordings are kept as long as their calls. */
  readonly retentionDays: () => Promise<number | null>;
  readonly uploadEveryMs: number;
  readonly workerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RecordingLoops {
  /** Deletes what is too old. */
  startExpiry(): readonly Loop[];
  /** Uploads go on while the worker drains: recordings of its last calls would fill the time after it. */
  startUploads(): void;
  /** A last round, for what ended since the one before; logs how many recordings are left. Never rejects. */
  finishUploads(stopping: AbortSignal): Promise<void>;
}

/** Uploads recordings to their store, and deletes those that are too old. */
export function createRecordingLoops(deps: RecordingLoopsDeps): RecordingLoops {
  const { clock, logger } = deps;
  const { random } = Math;
  const uploads = uploadRounds(deps);
  const { uploadEveryMs: intervalMs } = deps;
  const round = (stopping: AbortSignal) => expire(deps, stopping);
  let uploading: Loop | undefined;
  return {
    startExpiry() {
      return [startLoop({ name: 'expire recordings', intervalMs: EXPIRE_INTERVAL_MS, round, clock, logger, random })];
    },
    startUploads() {
      if (!uploads) return;
      uploading = startLoop({ name: 'upload recordings', intervalMs, round: uploads, clock, logger, random });
    },
    async finishUploads(stopping) {
      await uploading?.stop();
      await uploads?.(stopping);
      await reportLeft(deps);
    },
  };
}

async function reportLeft({ recordings: { outbox }, logger }: RecordingLoopsDeps): Promise<void> {
  if (outbox === null) return;
  let left = 0;
  try {
    for await (const callIds of outbox.list()) left += [...callIds].length;
  } catch (error) {
    logger.warn({ event: 'recordings.left', err: error }, 'the folder of the recordings cannot be read');
    return;
  }
  if (left > 0)
    logger.warn(
      { event: 'recordings.left', left },
      'recordings are left on this machine: the next worker with this folder uploads them',
    );
}

/** Logs once when recordings cannot be uploaded, and once when they can again. */
function uploadRounds(deps: RecordingLoopsDeps): ((stopping: AbortSignal) => Promise<void>) | null {
  const { recordedCalls, workerId, logger } = deps;
  const { store: recordings, outbox } = deps.recordings;
  if (outbox === null) return null;
  let isFailing = false;
  return async (stopping) => {
    try {
      const uploaded = await uploadRecordings({ outbox, recordings, recordedCalls, workerId }, stopping);
      if (uploaded > 0) logger.debug({ event: 'recordings.uploaded', uploaded }, 'recordings uploaded');
      if (isFailing && uploaded > 0) {
        isFailing = false;
        logger.info({ event: 'recordings.upload_recovered' }, 'recordings can be uploaded again');
      }
    } catch (error) {
      if (!isFailing)
        logger.error(
          { event: 'recordings.upload_failing', err: error },
          'recordings cannot be uploaded: they stay on this machine until they can',
        );
      isFailing = true;
    }
  };
}

async function expire(deps: RecordingLoopsDeps, stopping: AbortSignal): Promise<void> {
  const retentionDays = await deps.retentionDays();
  if (retentionDays === null) return;
  const { recordedCalls, logger } = deps;
  const { inventory } = deps.recordings;
  const expired = await expireRecordings({ inventory, recordedCalls, retentionDays }, stopping);
  if (expired > 0) logger.info({ event: 'recordings.expired', expired, retentionDays }, 'recordings deleted');
}

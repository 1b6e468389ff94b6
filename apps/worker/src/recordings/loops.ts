import { expireRecordings, uploadRecordings, type RecordedCalls } from '@outdial/calls';
import type { Clock, Logger } from '@outdial/kernel';
import type { Recordings } from '@outdial/recordings';
import { startLoop, type Loop } from '../loops/loop.ts';

const EXPIRE_INTERVAL_MS = 24 * 3_600_000;

export interface RecordingLoopsDeps {
  readonly recordings: Pick<Recordings, 'store' | 'inventory' | 'outbox'>;
  readonly recordedCalls: RecordedCalls;
  /** Undefined: recordings are kept forever. */
  readonly retentionDays: number | undefined;
  readonly uploadEveryMs: number;
  readonly workerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RecordingLoops {
  start(): readonly Loop[];
  /** One more round of uploads, for recordings that ended during the drain. Never rejects. */
  uploadLast(stopping: AbortSignal): Promise<void>;
}

/** Uploads recordings to their store, and deletes those that are too old. */
export function createRecordingLoops(deps: RecordingLoopsDeps): RecordingLoops {
  const { clock, logger } = deps;
  const { random } = Math;
  const uploads = uploadRounds(deps);
  const { retentionDays, uploadEveryMs: intervalMs } = deps;
  return {
    start() {
      const loops: Loop[] = [];
      if (uploads) {
        loops.push(startLoop({ name: 'upload recordings', intervalMs, round: uploads, clock, logger, random }));
      }
      if (retentionDays !== undefined) {
        const round = (stopping: AbortSignal) => expire(deps, retentionDays, stopping);
        loops.push(
          startLoop({ name: 'expire recordings', intervalMs: EXPIRE_INTERVAL_MS, round, clock, logger, random }),
        );
      }
      return loops;
    },
    async uploadLast(stopping) {
      await uploads?.(stopping);
    },
  };
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

async function expire(deps: RecordingLoopsDeps, retentionDays: number, stopping: AbortSignal): Promise<void> {
  const { recordedCalls, logger } = deps;
  const { inventory } = deps.recordings;
  const expired = await expireRecordings({ inventory, recordedCalls, retentionDays }, stopping);
  if (expired > 0) logger.info({ event: 'recordings.expired', expired, retentionDays }, 'recordings deleted');
}

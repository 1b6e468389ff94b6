import type { RecordingInventory, RecordingStore } from '@outdial/calls';
import { pause, type Clock, type Logger } from '@outdial/kernel';
import type { WorkerMetrics } from '@outdial/metrics';
import { createRecordedCalls, daysOf, readRetention, type Database } from '@outdial/persistence';
import { openRecordings, s3SettingsOf } from '@outdial/recordings';
import { traceUploads, type Traces } from '@outdial/traces';
import { recordingsDirOf, type WorkerConfig } from '../settings/config.ts';
import type { Loop } from '../loops/loop.ts';
import { createRecordingLoops } from '../recordings/loops.ts';
import { createRecordingAlarm } from '../recordings/alarm.ts';

/** An upload that is cut ends at once, unless the disk or the store hangs. */
const CUT_WITHIN_MS = 2_000;

export interface WorkerRecordings {
  readonly store: RecordingStore;
  readonly inventory: RecordingInventory;
  /** Whether recordings leave this machine once their calls have ended. */
  readonly isUploading: boolean;
  /** @throws EnvError if recordings can never be stored where the configuration says */
  prepare(): Promise<void>;
  /** What stops when the worker begins to drain; uploads start too, and go on. */
  startLoops(): readonly Loop[];
  /**
   * Uploads what is left, for OUTDIAL_UPLOAD_SECONDS at most, or until `hurry` aborts. Call after the last call has
   * ended, while Postgres is still open. Never rejects.
   */
  finishUploads(hurry: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface RecordingsOptions {
  readonly config: WorkerConfig;
  readonly database: Database;
  readonly workerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<WorkerMetrics, 'uploads'>;
  readonly uploadEveryMs: number;
  /** Null: nothing is traced. */
  readonly traces: Traces | null;
}

/** The storage of the recordings and their retention. @throws EnvError */
export function composeRecordings({
  config,
  database,
  workerId,
  clock,
  logger,
  metrics,
  uploadEveryMs,
  traces,
}: RecordingsOptions): WorkerRecordings {
  const recordings = openRecordings({
    directory: recordingsDirOf(config),
    s3: s3SettingsOf(config),
    onError: createRecordingAlarm({ logger, clock }),
  });
  const untraced = createRecordedCalls(database);
  const outbox = recordings.outbox && metrics.uploads(recordings.outbox);
  const uploads =
    traces && outbox
      ? traceUploads({ outbox, recordedCalls: untraced }, traces.tracer)
      : { outbox, recordedCalls: untraced };
  const loops = createRecordingLoops({
    recordings: { ...recordings, outbox: uploads.outbox },
    recordedCalls: uploads.recordedCalls,
    retentionDays: async () =>
      daysOf(await readRetention(database), 'recordings', config.OUTDIAL_RECORDING_RETENTION_DAYS ?? null),
    uploadEveryMs,
    workerId,
    clock,
    logger,
  });
  return {
    store: recordings.store,
    inventory: recordings.inventory,
    isUploading: recordings.outbox !== null,
    async prepare() {
      const check = await recordings.check();
      if (check.kind === 'away')
        logger.warn({ event: 'recording_store.away', err: check.error }, 'the recording store is away');
    },
    startLoops() {
      loops.startUploads();
      return loops.startExpiry();
    },
    async finishUploads(hurry) {
      const stopping = new AbortController();
      const done = new AbortController();
      const limit = pause(clock, config.OUTDIAL_UPLOAD_SECONDS * 1_000, AbortSignal.any([hurry, done.signal]));
      const finishing = loops.finishUploads(stopping.signal).then(() => done.abort());
      await limit;
      stopping.abort();
      await Promise.race([finishing, pause(clock, CUT_WITHIN_MS)]);
    },
    close: () => recordings.close(),
  };
}

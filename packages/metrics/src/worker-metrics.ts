import type { DriveStore, Observer, RecordingOutbox } from '@outdial/calls';
import type { Clock, StoreCondition } from '@outdial/kernel';
import { COUNTED, OF_PROCESS } from './catalogue.ts';
import { createExposition, createWorkerObserver, measureProcess, measureStores } from './exposition.ts';
import { openCounter, openCounterBy, openGauge, openHistogram } from './instruments.ts';
import { measureDriveStore, type DriveMeters } from './measure-drive-store.ts';
import { measureUploads } from './measure-uploads.ts';
import { createSuccesses } from './successes.ts';
import { measureSystem, type SystemMetricsDeps } from './system-metrics.ts';
import { measureTrunks, type TrunkReading } from './trunk-metrics.ts';

/** What a scrape of a worker reads. */
export interface WorkerReadings extends Omit<SystemMetricsDeps, 'clock' | 'freshMs'> {
  readonly stores: () => readonly StoreCondition[];
  readonly liveCalls: () => number;
  readonly liveCallsLimit: number;
  /** Null for a carrier without trunks. */
  readonly trunks: (() => Promise<TrunkReading>) | null;
  /** Null for a worker that nobody reaches by TLS. */
  readonly certificateExpiresAtMs: (() => number) | null;
}

/** What a worker counts. */
export interface WorkerMetrics {
  readonly observer: Observer;
  driveStore(store: DriveStore, options: Pick<DriveMeters, 'uploadsRecordings'>): DriveStore;
  uploads(outbox: RecordingOutbox): RecordingOutbox;
  /** From here on it can be told how the worker and the system are. */
  watch(readings: WorkerReadings): void;
  expose(): Promise<string>;
}

/** @param options `freshMs`: how long a reading of the stores is shared; `FRESH_MS` unless given. */
export function createWorkerMetrics(
  clock: Clock,
  { freshMs }: { readonly freshMs?: number | undefined } = {},
): WorkerMetrics {
  const exposition = createExposition();
  const { registry } = exposition;
  const meters = {
    entered: openCounterBy(registry, COUNTED.entered),
    ended: openCounterBy(registry, COUNTED.ended),
    recordings: openCounterBy(registry, COUNTED.recordings),
    queueWait: openHistogram(registry, COUNTED.queueWait),
    settleRetries: openCounter(registry, COUNTED.settleRetries),
    renewalFailures: openCounter(registry, COUNTED.renewalFailures),
  };
  const uploads = openCounterBy(registry, COUNTED.uploads);
  const observer = createWorkerObserver(exposition);
  measureProcess(exposition);
  return {
    observer,
    driveStore: (store, options) => measureDriveStore(store, { ...meters, ...options }),
    uploads: (outbox) => measureUploads(outbox, uploads),
    watch({ stores, liveCalls, liveCallsLimit, trunks, certificateExpiresAtMs, reader, gate }) {
      measureStores(exposition, stores);
      const live = openGauge(registry, OF_PROCESS.liveCalls);
      openGauge(registry, OF_PROCESS.liveCallsLimit)(liveCallsLimit);
      exposition.beforeScrape(async () => live(liveCalls()));
      const expiresAt = openGauge(registry, OF_PROCESS.certificateExpiresAt);
      exposition.beforeScrape(async () => expiresAt(certificateExpiresAtMs && certificateExpiresAtMs() / 1_000));
      const successes = createSuccesses(exposition);
      measureSystem(exposition, successes, { reader, gate, clock, freshMs });
      if (trunks) measureTrunks(exposition, successes, { read: trunks, clock, freshMs });
    },
    expose: () => exposition.expose(),
  };
}

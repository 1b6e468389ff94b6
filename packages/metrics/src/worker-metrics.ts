import type { DriveStore, Observer, RecordingOutbox } from '@outdial/calls';
import type { Clock, StoreCondition } from '@outdial/kernel';
import { EVENT_METRICS, PROCESS_GAUGES } from './catalogue.ts';
import { createExposition, createWorkerObserver, measureProcess, measureStores } from './exposition.ts';
import { openCounter, openCounterBy, openGauge, openHistogram } from './instruments.ts';
import { measureDriveStore, type DriveMeters } from './measure-drive-store.ts';
import { measureUploads } from './measure-uploads.ts';
import { createReadingSuccess } from './reading-success.ts';
import { measureSystem, type SystemMetricsDeps } from './system-metrics.ts';
import { measureTrunks, type TrunkReading } from './trunk-metrics.ts';

/** What a scrape of a worker reads. */
export interface WorkerReadings extends Omit<SystemMetricsDeps, 'clock'> {
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

export function createWorkerMetrics(clock: Clock): WorkerMetrics {
  const exposition = createExposition();
  const { registry } = exposition;
  const meters = {
    entered: openCounterBy(registry, EVENT_METRICS.entered),
    ended: openCounterBy(registry, EVENT_METRICS.ended),
    recordings: openCounterBy(registry, EVENT_METRICS.recordings),
    queueWait: openHistogram(registry, EVENT_METRICS.queueWait),
    settleRetries: openCounter(registry, EVENT_METRICS.settleRetries),
    renewalFailures: openCounter(registry, EVENT_METRICS.renewalFailures),
  };
  const uploads = openCounterBy(registry, EVENT_METRICS.uploads);
  const observer = createWorkerObserver(exposition);
  measureProcess(exposition);
  return {
    observer,
    driveStore: (store, options) => measureDriveStore(store, { ...meters, ...options }),
    uploads: (outbox) => measureUploads(outbox, uploads),
    watch({ stores, liveCalls, liveCallsLimit, trunks, certificateExpiresAtMs, reader, gate }) {
      measureStores(exposition, stores);
      const live = openGauge(registry, PROCESS_GAUGES.liveCalls);
      openGauge(registry, PROCESS_GAUGES.liveCallsLimit)(liveCallsLimit);
      exposition.beforeScrape(async () => live(liveCalls()));
      const expiresAt = openGauge(registry, PROCESS_GAUGES.certificateExpiresAt);
      exposition.beforeScrape(async () => expiresAt(certificateExpiresAtMs && certificateExpiresAtMs() / 1_000));
      const successes = createReadingSuccess(exposition);
      measureSystem(exposition, successes, { reader, gate, clock });
      if (trunks) measureTrunks(exposition, successes, { read: trunks, clock });
    },
    expose: () => exposition.expose(),
  };
}

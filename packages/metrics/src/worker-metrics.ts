import type {
  AdmissionObserver,
  DriveStore,
  Observer,
  OpenBreaker,
  RecordingOutbox,
  SystemReader,
} from '@outdial/calls';
import type { Provider } from '@outdial/contracts';
import type { Clock, StoreCondition } from '@outdial/kernel';
import { measureBreakers } from './breaker-metrics.ts';
import {
  EVENT_METRICS,
  PROCESS_GAUGES,
  type ANALYSIS_TRIES,
  type MONITOR_SOUND,
  type RETENTION_DELETED,
  type WEBHOOK_ATTEMPTS,
} from './catalogue.ts';
import { measureDemand, type DemandDeps } from './demand-metrics.ts';
import { openDrift, type Drift } from './drift-metrics.ts';
import {
  createExposition,
  createWorkerObserver,
  measureProcess,
  measureSpans,
  measureStores,
  type Expose,
} from './exposition.ts';
import { openCounter, openCounterBy, openGauge, openHistogram, openHistogramBy } from './instruments.ts';
import { measureDriveStore, type DriveMeters } from './measure-drive-store.ts';
import { measureUploads } from './measure-uploads.ts';
import { createReadingSuccess } from './reading-success.ts';
import { measureSystem, type SystemMetricsDeps } from './system-metrics.ts';
import { measureTrunks, type TrunkReading } from './trunk-metrics.ts';
import { measureWebhooks, type WebhookBacklog } from './webhook-metrics.ts';

/** What a scrape of a worker reads. */
export interface WorkerReadings
  extends Omit<SystemMetricsDeps, 'clock' | 'freshMs' | 'reader'>, Pick<DemandDeps, 'jobs'> {
  readonly reader: SystemReader;
  readonly stores: () => readonly StoreCondition[];
  readonly liveCalls: () => number;
  readonly liveCallsLimit: number;
  /** Null for a carrier without trunks. */
  readonly trunks: (() => Promise<TrunkReading>) | null;
  readonly breakers: () => Promise<readonly OpenBreaker[]>;
  readonly webhooks: () => Promise<WebhookBacklog>;
  /** Null: nothing is traced. */
  readonly spansDropped: (() => number) | null;
  /** Null for a worker that does not accept TLS. */
  readonly certificateExpiresAtMs: (() => number) | null;
}

/** The metrics of a worker. */
export interface WorkerMetrics {
  readonly observer: Observer;
  driveStore(store: DriveStore, options: Pick<DriveMeters, 'uploadsRecordings'>): DriveStore;
  uploads(outbox: RecordingOutbox): RecordingOutbox;
  readonly admissions: AdmissionObserver;
  /** Counts accounts with due calls and without a turn. */
  readonly missedTurns: (count: number) => void;
  /** Counts a try to analyze a call. */
  readonly analysis: (outcome: (typeof ANALYSIS_TRIES)[number]) => void;
  /** Notes how long a model of this provider took to answer the callee. */
  readonly turnLatency: (provider: Provider, ms: number) => void;
  readonly answerDelay: (provider: Provider, component: 'stt' | 'llm' | 'tts', ms: number) => void;
  readonly webhooks: {
    readonly attempted: (outcome: (typeof WEBHOOK_ATTEMPTS)[number]) => void;
    readonly firstAttempt: (delayMs: number) => void;
  };
  /** Counts sound of a live call that members listen to. */
  readonly monitorSound: (outcome: (typeof MONITOR_SOUND)[number]) => void;
  /** Counts what was deleted as too old. */
  readonly retentionDeleted: (kind: (typeof RETENTION_DELETED)[number], count: number) => void;
  /** Shows what the last comparison of the gate with Postgres found. */
  readonly drift: (drift: Drift) => void;
  /** Adds the metrics about the worker and the system. */
  watch(readings: WorkerReadings): void;
  readonly expose: Expose;
}

/** @param options `freshMs`: how long a reading of the stores is shared; `CACHE_TTL_MS` unless given. */
export function createWorkerMetrics(
  clock: Clock,
  { freshMs }: { readonly freshMs?: number | undefined } = {},
): WorkerMetrics {
  const exposition = createExposition();
  const { registry } = exposition;
  const meters = {
    entered: openCounterBy(registry, EVENT_METRICS.entered),
    ended: openCounterBy(registry, EVENT_METRICS.ended),
    recordings: openCounterBy(registry, EVENT_METRICS.recordings),
    optOuts: openCounterBy(registry, EVENT_METRICS.optOuts),
    queueWait: openHistogram(registry, EVENT_METRICS.queueWait),
    settleRetries: openCounter(registry, EVENT_METRICS.settleRetries),
    renewalFailures: openCounter(registry, EVENT_METRICS.renewalFailures),
  };
  const uploads = openCounterBy(registry, EVENT_METRICS.uploads);
  const admissions = openCounterBy(registry, EVENT_METRICS.admissions);
  const lateness = openHistogram(registry, EVENT_METRICS.scheduleLateness);
  const missedTurns = openCounter(registry, EVENT_METRICS.missedTurns);
  const analysis = openCounterBy(registry, EVENT_METRICS.analyses);
  const turnLatency = openHistogramBy(registry, EVENT_METRICS.turnLatency);
  const answerDelay = openHistogramBy<string>(registry, EVENT_METRICS.answerDelays);
  const retentionDeleted = openCounterBy(registry, EVENT_METRICS.retentionDeleted);
  const webhookAttempts = openCounterBy(registry, EVENT_METRICS.webhookAttempts);
  const firstAttempt = openHistogram(registry, EVENT_METRICS.webhookFirstAttempt);
  const monitorSound = openCounterBy(registry, EVENT_METRICS.monitorSound);
  const observer = createWorkerObserver(exposition);
  const successes = createReadingSuccess(exposition);
  measureProcess(exposition);
  return {
    observer,
    driveStore: (store, options) => measureDriveStore(store, { ...meters, ...options }),
    uploads: (outbox) => measureUploads(outbox, uploads),
    admissions: {
      admission: (outcome) => admissions(outcome),
      late: (ms) => lateness(ms / 1_000),
      ended: (reason, count) => meters.ended(reason, count),
    },
    missedTurns: (count) => missedTurns(count),
    analysis: (outcome) => analysis(outcome),
    turnLatency: (provider, ms) => turnLatency(provider, ms / 1_000),
    answerDelay: (provider, component, ms) => answerDelay(`${provider}/${component}`, ms / 1_000),
    webhooks: {
      attempted: (outcome) => webhookAttempts(outcome),
      firstAttempt: (delayMs) => firstAttempt(delayMs / 1_000),
    },
    monitorSound: (outcome) => monitorSound(outcome),
    retentionDeleted: (kind, count) => retentionDeleted(kind, count),
    drift: openDrift(exposition, successes),
    watch(readings) {
      const { stores, liveCalls, liveCallsLimit, trunks, breakers, webhooks, certificateExpiresAtMs } = readings;
      const { reader, gate, jobs } = readings;
      measureStores(exposition, stores);
      measureSpans(exposition, readings.spansDropped);
      const live = openGauge(registry, PROCESS_GAUGES.liveCalls);
      openGauge(registry, PROCESS_GAUGES.liveCallsLimit)(liveCallsLimit);
      exposition.beforeScrape(async () => live(liveCalls()));
      const expiresAt = openGauge(registry, PROCESS_GAUGES.certificateExpiresAt);
      exposition.beforeScrape(async () => expiresAt(certificateExpiresAtMs && certificateExpiresAtMs() / 1_000));
      measureDemand(exposition, successes, { reader, jobs, clock, freshMs });
      measureSystem(exposition, successes, { reader, gate, clock, freshMs });
      measureBreakers(exposition, successes, { read: breakers, clock, freshMs });
      measureWebhooks(exposition, successes, { read: webhooks, clock, freshMs });
      if (trunks) measureTrunks(exposition, successes, { read: trunks, clock, freshMs });
    },
    expose: exposition.expose,
  };
}

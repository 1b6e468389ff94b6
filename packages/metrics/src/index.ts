export { createApiMetrics, type ApiMetrics } from './api-metrics.ts';
export type { DemandDeps } from './demand-metrics.ts';
export type { Drift } from './drift-metrics.ts';
export type { Expose } from './exposition.ts';
export { EVENT_METRICS, PROCESS_GAUGES, SYSTEM_GAUGES } from './catalogue.ts';
export { MetricsPortError, serveMetrics, type MetricsServer, type ServeOptions } from './serve.ts';
export { metricsHostEnv, metricsPortSchema } from './settings.ts';
export type { TrunkReading } from './trunk-metrics.ts';
export { createWorkerMetrics, type WorkerMetrics, type WorkerReadings } from './worker-metrics.ts';

import { pause, systemClock, type Logger } from '@outdial/kernel';
import { serveMetrics, type Expose, type MetricsServer } from '@outdial/metrics';
import type { GateUnsupportedError } from '@outdial/reservations';
import { openTraces, traceSettingsOf } from '@outdial/traces';
import { SERVICE_VERSION } from './dashboard/service/version.ts';
import { compose } from './compose.ts';
import type { ApiConfig } from './config.ts';
import type { Route } from './http/define-route.ts';
import { listen } from './server.ts';

export interface RunningApi {
  readonly url: string;
  readonly routes: readonly Route[];
  /** Undefined: metrics are disabled. */
  readonly metricsUrl: string | undefined;
  /** Resolves if a store turns out to be one that this process can never work with. */
  readonly unusable: Promise<GateUnsupportedError>;
  /**
   * Answers requests for OUTDIAL_SHUTDOWN_DELAY_SECONDS, then those in flight. Takes a few seconds more at most, whatever
   * clients and stores do.
   */
  stop(): Promise<void>;
}

/** Every answer is due within a second; only a client that reads a recording slowly takes longer. */
const REQUESTS_LIMIT_MS = 5_000;
/** Longer than a statement may take before its connection is closed. */
const STORES_LIMIT_MS = 3_000;

/**
 * Starts answering, whether or not the stores are available yet. @throws ListenError @throws EnvError @throws
 * MetricsPortError
 */
export async function startApi(config: ApiConfig, logger: Logger): Promise<RunningApi> {
  const clock = systemClock;
  let reportUnusable: ((error: GateUnsupportedError) => void) | undefined;
  const unusable = new Promise<GateUnsupportedError>((resolve) => (reportUnusable = resolve));
  let publicUrl = config.OUTDIAL_PUBLIC_URL ?? 'http://localhost';
  let ownUrl = 'http://localhost';
  const traces = await openTraces({
    settings: traceSettingsOf(config, 'outdial-api'),
    version: SERVICE_VERSION,
    clock,
    logger,
  });
  const api = compose({
    config,
    logger,
    traces,
    publicUrl: () => publicUrl,
    ownUrl: () => ownUrl,
    onUnsupported: (error) => reportUnusable?.(error),
  });
  const closeStores = () => Promise.race([api.close(), pause(clock, STORES_LIMIT_MS)]);
  let metrics: MetricsServer | null = null;
  try {
    await api.prepare();
    metrics = await openMetrics(config, api.exposeMetrics);
    const server = await listen(api.app, {
      host: config.HOST,
      port: config.PORT,
      messages: api.messages,
      upgrade: api.upgrade,
      isStoreUnavailable: api.isStoreUnavailable,
      clock,
      logger,
    });
    ownUrl = reachable(server.url);
    publicUrl = config.OUTDIAL_PUBLIC_URL ?? ownUrl;
    api.start();
    const metricsUrl = metrics?.url;
    logger.info({ event: 'process.listening', url: server.url, metricsUrl }, 'listening');
    return {
      url: server.url,
      routes: api.routes,
      metricsUrl,
      unusable,
      async stop() {
        api.announceEnd();
        await pause(clock, config.OUTDIAL_SHUTDOWN_DELAY_SECONDS * 1_000);
        api.drain();
        await server.close(REQUESTS_LIMIT_MS);
        await closeStores();
        await metrics?.close();
        logger.info({ event: 'process.stopped' }, 'stopped');
      },
    };
  } catch (error) {
    await Promise.all([closeStores(), metrics?.close()]);
    throw error;
  }
}

/** A wildcard address is not one that a client can open. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//localhost:').replace('//[::]:', '//localhost:');
}

async function openMetrics(config: ApiConfig, expose: Expose): Promise<MetricsServer | null> {
  const { METRICS_HOST: host, METRICS_PORT: port } = config;
  return port === undefined ? null : serveMetrics({ host, port, setting: 'METRICS_PORT', expose });
}

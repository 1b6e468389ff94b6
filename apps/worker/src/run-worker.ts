import { createLogger, describeFailure, EnvError, systemClock, type Logger } from '@outdial/kernel';
import { MetricsPortError, serveMetrics } from '@outdial/metrics';
import { GateUnsupportedError } from '@outdial/reservations';
import { compose } from './compose/compose.ts';
import { readConfig } from './settings/config.ts';
import { HealthAddressError, serveHealth } from './lifecycle/health.ts';
import type { WorkerTimings } from './settings/timings.ts';
import type { Worker } from './lifecycle/worker.ts';
import { checkDatabaseUntilKnown, checkOwnDatabase } from './stores/check-database.ts';

async function start(timings: WorkerTimings): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger({ name: 'worker', level: config.LOG_LEVEL });
  const isKnown = await checkOwnDatabase(config.DATABASE_URL);
  const worker = await compose({ config, logger, timings });
  const end = endOn(worker, logger);
  if (!isKnown) checkDatabaseUntilKnown(config.DATABASE_URL, systemClock).catch((error: unknown) => end(error));
  const { OUTDIAL_WORKER_HEALTH_HOST: host, OUTDIAL_WORKER_HEALTH_PORT: port } = config;
  if (port !== undefined) await serveHealth({ host, port }, () => worker.checkReadiness());
  const metricsPort = config.WORKER_METRICS_PORT;
  if (metricsPort !== undefined) {
    const { url } = await serveMetrics({
      host: config.METRICS_HOST,
      port: metricsPort,
      setting: 'WORKER_METRICS_PORT',
      expose: worker.exposeMetrics,
    });
    logger.info({ event: 'metrics.listening', metricsUrl: url }, 'serving metrics');
  }
  await worker.start();
}

/**
 * @returns ends the process after a failure.
 *
 * The first signal lets live calls end; a second one hangs them up. So does an uncaught error, which leaves the process
 * in an unknown state. Each call is settled first, if Postgres answers.
 */
function endOn(worker: Worker, logger: Logger): (error: unknown) => void {
  const hurry = new AbortController();
  let ending = false;
  const end = async (code: number) => {
    await worker.stop(hurry.signal);
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (ending) hurry.abort();
      ending = true;
      void end(0);
    });
  }
  process.on('uncaughtException', (error) => {
    logger.fatal({ event: 'process.defect', err: error }, 'stopping after a defect');
    ending = true;
    hurry.abort();
    void end(1);
  });
  return (error) => {
    report(error);
    ending = true;
    hurry.abort();
    void end(1);
  };
}

/** Runs the worker in this process, which exits with it. */
export function runWorker(timings: WorkerTimings): void {
  start(timings).catch(fail);
}

function fail(error: unknown): void {
  report(error);
  process.exit(1);
}

function report(error: unknown): void {
  const fixable = [EnvError, HealthAddressError, MetricsPortError, GateUnsupportedError];
  process.stderr.write(`${describeFailure(error, fixable)}\n`);
}

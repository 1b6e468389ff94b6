import { setFlagsFromString } from 'node:v8';
import { createLogger, describeFailure, EnvError, systemClock } from '@outdial/kernel';
import { MetricsPortError } from '@outdial/metrics';
import { GateUnsupportedError } from '@outdial/reservations';
import { checkStores, checkStoresUntilKnown } from './check-stores.ts';
import { readConfig } from './config.ts';
import { ListenError } from './server.ts';
import { startApi, type RunningApi } from './start.ts';

/**
 * V8 puts what comes from places whose first objects lived long into its old space at once. Of an upload, whose rows live for a moment,
 * each such array kept its row until the next full collection: the process grew by 240 MB.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

async function main(): Promise<void> {
  const config = await readConfig(process.env);
  const logger = createLogger({ name: 'api', level: config.LOG_LEVEL });
  const isKnown = await checkStores(config);
  const api = await startApi(config, logger);
  const end = endOn(api);
  const fail = (error: unknown) => {
    report(error);
    void end(1);
  };
  void api.unusable.then(fail);
  if (!isKnown) checkStoresUntilKnown(config, systemClock).catch(fail);
}

/** @returns a function that shuts the process down cleanly. */
function endOn(api: RunningApi): (code: number) => Promise<void> {
  let isEnding = false;
  const end = async (code: number) => {
    // A second signal means that the shutdown takes too long.
    if (isEnding) process.exit(1);
    isEnding = true;
    await api.stop();
    // Connections that are open now lead to a store that hangs, and would keep the process alive for as long as it
    // does.
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));
  return end;
}

function report(error: unknown): void {
  const fixable = [EnvError, ListenError, MetricsPortError, GateUnsupportedError];
  process.stderr.write(`${describeFailure(error, fixable)}\n`);
}

main().catch((error: unknown) => {
  report(error);
  process.exit(1);
});

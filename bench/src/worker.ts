import { freePort } from '@outdial/testkit';
import { startSubprocess, type Subprocess } from './processes.ts';
import { POOL_SIZE, untilReady } from './scenarios/creates.ts';
import type { StageStores } from './stage.ts';

/** Calls of the simulated network, without sound. */
export const SIMULATED_CALLS = { OUTDIAL_CARRIER: 'simulated', OUTDIAL_SIMULATED_MEDIA: 'off' } as const;

/** The product's worker, once it is ready. It ends without waiting for its calls. */
export async function startWorker(
  { redisUrl, databaseUrl }: StageStores,
  env: Readonly<Record<string, string>>,
): Promise<Subprocess> {
  const port = await freePort();
  return startSubprocess({
    entry: 'apps/worker/src/main.ts',
    env: {
      REDIS_URL: redisUrl,
      DATABASE_URL: databaseUrl,
      OUTDIAL_WORKER_HEALTH_PORT: String(port),
      OUTDIAL_DATABASE_POOL: String(POOL_SIZE),
      OUTDIAL_DRAIN_SECONDS: '0',
      ...env,
    },
    ready: () => untilReady(port),
  });
}

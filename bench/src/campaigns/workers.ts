import { freePort } from '@outdial/testkit';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { POOL_SIZE, untilReady } from '../scenarios/creates.ts';
import type { StageStores } from '../stage.ts';

export interface WorkerOptions {
  /** How many times faster than real the simulated network is. */
  readonly speed: number;
  readonly concurrency: number;
}

/** A worker that admits calls of campaigns and drives them through the simulated network, without sound. */
export async function startCampaignWorker(
  { redisUrl, databaseUrl }: StageStores,
  { speed, concurrency }: WorkerOptions,
): Promise<Subprocess> {
  const port = await freePort();
  return startSubprocess({
    entry: 'apps/worker/src/main.ts',
    env: {
      REDIS_URL: redisUrl,
      DATABASE_URL: databaseUrl,
      OUTDIAL_CARRIER: 'simulated',
      OUTDIAL_SIMULATED_SPEED: String(speed),
      OUTDIAL_SIMULATED_MEDIA: 'off',
      OUTDIAL_WORKER_CONCURRENCY: String(concurrency),
      OUTDIAL_WORKER_HEALTH_PORT: String(port),
      OUTDIAL_DATABASE_POOL: String(POOL_SIZE),
      OUTDIAL_DRAIN_SECONDS: '0',
    },
    ready: () => untilReady(port),
  });
}

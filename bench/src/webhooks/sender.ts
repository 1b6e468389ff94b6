import { freePort } from '@outdial/testkit';
import { startSubprocess, type Subprocess } from '../processes.ts';
import { POOL_SIZE, untilReady } from '../scenarios/creates.ts';
import type { StageStores } from '../stage.ts';
import { SECRET_KEY_HEX } from './endpoints.ts';

/** The product's worker with the role `webhooks` alone. */
export async function startSender({ redisUrl, databaseUrl }: StageStores): Promise<Subprocess> {
  const port = await freePort();
  return startSubprocess({
    entry: 'apps/worker/src/main.ts',
    env: {
      REDIS_URL: redisUrl,
      DATABASE_URL: databaseUrl,
      OUTDIAL_WORKER_ROLES: 'webhooks',
      OUTDIAL_SECRET_KEY: SECRET_KEY_HEX,
      OUTDIAL_EGRESS_ALLOW: '127.0.0.1',
      OUTDIAL_DATABASE_POOL: String(POOL_SIZE),
      OUTDIAL_WORKER_HEALTH_PORT: String(port),
      OUTDIAL_DRAIN_SECONDS: '0',
    },
    ready: () => untilReady(port),
  });
}

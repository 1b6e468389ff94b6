import type { Subprocess } from '../processes.ts';
import type { StageStores } from '../stage.ts';
import { startWorker } from '../worker.ts';
import { SECRET_KEY_HEX } from './endpoints.ts';

/** The product's worker with the role `webhooks` alone. */
export function startSender(stores: StageStores): Promise<Subprocess> {
  return startWorker(stores, {
    OUTDIAL_WORKER_ROLES: 'webhooks',
    OUTDIAL_SECRET_KEY: SECRET_KEY_HEX,
    OUTDIAL_EGRESS_ALLOW: '127.0.0.1',
  });
}

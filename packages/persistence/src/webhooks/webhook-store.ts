import type { WebhookStore } from '@outdial/webhooks';
import type { Database } from '../database.ts';
import { readBacklog } from './backlog.ts';
import { deleteOldRecords } from './delete-old-records.ts';
import { createClaim } from './claim-webhooks.ts';
import { createFinish } from './finish-webhooks.ts';
import { keepBodies } from './keep-bodies.ts';
import { factsOf } from './message-facts.ts';
import { release } from './release-webhooks.ts';

export interface WebhookStoreOptions {
  /** Named in the log of attempts. */
  readonly workerId: string;
  /** The most lanes that one claim looks at. */
  readonly maxLanes?: number;
}

/** The most rows of one statement that cleans up. */
const SWEPT_ROWS = 5_000;
/** Of one step: each may have deliveries for 20 endpoints, and their attempts. A statement has 4 seconds. */
const EXPIRED_MESSAGES = 250;
const MAX_LANES = 256;

/** Webhooks in Postgres. On the side pool: nothing here may delay a call. */
export function createWebhookStore(
  database: Database,
  { workerId, maxLanes = MAX_LANES }: WebhookStoreOptions,
): WebhookStore {
  const { side } = database;
  return {
    claim: createClaim(database, { maxLanes }),
    factsOf: (messageIds) => factsOf(database, messageIds),
    keepBodies: (bodies) => keepBodies(database, bodies),
    release: (claims) => release(database, claims),
    finish: createFinish(database, { workerId }),
    async dropOrphans() {
      const [row] = await side.$queryRaw<{ dropped: number }[]>`
        SELECT drop_webhook_orphans(${SWEPT_ROWS}::int) AS dropped`;
      return row?.dropped ?? 0;
    },
    async disableFailing() {
      const [row] = await side.$queryRaw<{ disabled: number }[]>`SELECT disable_failing_webhooks() AS disabled`;
      return row?.disabled ?? 0;
    },
    async advanceReplays() {
      const [row] = await side.$queryRaw<{ more: boolean }[]>`SELECT advance_webhook_replay() AS more`;
      return row?.more === true;
    },
    async deleteExpired(retentionDays) {
      const [row] = await side.$queryRaw<{ deleted: number }[]>`
        SELECT delete_expired_webhooks(${retentionDays}::int, ${EXPIRED_MESSAGES}::int) AS deleted`;
      return (row?.deleted ?? 0) + (await deleteOldRecords(database, { retentionDays, most: SWEPT_ROWS }));
    },
    backlog: () => readBacklog(database),
  };
}

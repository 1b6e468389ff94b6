import type { AccountId, WebhookEndpointId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { attemptOf, plantEndpoint, PLENTY } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { withoutAutovacuum } from '../../test/without-autovacuum.ts';
import { createDatabase, type Database } from '../database.ts';
import { createWebhookStore } from './webhook-store.ts';

const PENDING = 20_000;
const SLOTS = 10;
/** Levels of indexes and the pages of a few rows: each index of the table has hundreds of pages. */
const MAX_BLOCKS = 400;
/** One for each that is claimed, and for the first that is not. Of 200 that might be. */
const MAX_LOOK_UPS = SLOTS + 2;

let world: World;
let single: Database;
let store: ReturnType<typeof createWebhookStore>;
beforeAll(async () => {
  world = await createWorld();
  // One connection, so that its plans are kept, and its statistics can be flushed before they are read.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  single = createDatabase({ url: world.databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  await withoutAutovacuum(single, ['webhook_deliveries']);
  store = createWebhookStore(single, { workerId: 'worker-1' });
});
beforeEach(async () => {
  // Claims are over all accounts: each test begins with nothing pending.
  await single.side.$executeRaw`DELETE FROM webhook_deliveries`;
});
afterAll(async () => {
  await single.close();
  await world.close();
});

async function read(): Promise<{ readonly lookUps: number; readonly blocks: number }> {
  await single.side.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await single.side.$queryRaw<{ lookUps: number; blocks: number }[]>`
    SELECT i.idx_scan::int AS "lookUps", (t.heap_blks_read + t.heap_blks_hit + t.idx_blks_read + t.idx_blks_hit)::int AS blocks
    FROM pg_stat_user_indexes i JOIN pg_statio_user_tables t ON t.relid = i.relid
    WHERE i.indexrelname = 'webhook_deliveries_order_idx'`;
  if (!row) throw new Error('there is such an index');
  return row;
}

/** Claims what the lane may have in flight. */
async function claim() {
  const before = await read();
  const { deliveries } = await store.claim(PLENTY);
  const after = await read();
  expect(deliveries).toHaveLength(SLOTS);
  for (const delivery of deliveries) await store.finish(attemptOf(delivery));
  return { lookUps: after.lookUps - before.lookUps, blocks: after.blocks - before.blocks };
}

test('a claim looks up the same, however much is pending in its lane', async () => {
  const party = await world.party();
  const endpointId = await plantEndpoint(single, party.accountId, { maxInFlight: SLOTS });
  await plantPending(party.accountId, endpointId);
  await single.side.$executeRaw`VACUUM (ANALYZE) webhook_messages, webhook_deliveries`;
  // A session may choose another plan after five uses.
  for (let nth = 0; nth < 8; nth += 1) {
    const { lookUps, blocks } = await claim();
    expect(lookUps).toBeLessThanOrEqual(MAX_LOOK_UPS);
    expect(blocks).toBeLessThan(MAX_BLOCKS);
  }
});

async function plantPending(accountId: AccountId, endpointId: WebhookEndpointId): Promise<void> {
  await single.side.$executeRaw`
    WITH messages AS (
      INSERT INTO webhook_messages (account_id, call_id, type, occurred_at)
      SELECT ${accountId}::uuid, gen_random_uuid(), 'call.ended', now() FROM generate_series(1, ${PENDING}::int)
      RETURNING id, call_id
    )
    INSERT INTO webhook_deliveries (message_id, endpoint_id, account_id, lane, call_id, event_id, type, tries_left, due_at)
    SELECT m.id, ${endpointId}::uuid, ${accountId}::uuid, ${endpointId}::uuid, m.call_id, row_number() OVER (),
      'call.ended', 10, now() FROM messages m`;
}

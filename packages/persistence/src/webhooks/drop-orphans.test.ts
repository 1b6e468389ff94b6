import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliveriesTo, plantEndpoint } from '../../test/webhooks.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { createWebhookStore } from './webhook-store.ts';

let world: World;
let store: ReturnType<typeof createWebhookStore>;
beforeAll(async () => {
  world = await createWorld();
  store = createWebhookStore(world.database, { workerId: 'worker-1' });
});
beforeEach(async () => {
  await world.database.side.$executeRaw`DELETE FROM webhook_deliveries`;
});
afterAll(() => world.close());

/** As many as a customer makes and deletes in a while. */
const churn = ({ accountId }: Party, count: number, minutesAgo: number) => world.database.side.$executeRaw`
  INSERT INTO webhook_endpoints (account_id, kind, url, api_version, sealed_secret, created_by, state, disabled_reason,
    disabled_at, deleted_at)
  SELECT ${accountId}::uuid, 'standing', 'https://gone.example/', '2026-12-01', '', 'test', 'disabled', 'owner', x.at, x.at
  FROM generate_series(1, ${count}::int), (SELECT clock_timestamp() - make_interval(mins => ${minutesAgo}::int) AS at) x`;

test('endpoints that were deleted cost the sweep nothing, while what is pending for one is dropped', async () => {
  const party = await world.party();
  const closed = await plantEndpoint(world.database, party.accountId);
  await world.queued(party);
  await churn(party, 500, 1);
  const { side } = world.database;
  await side.$executeRaw`
    UPDATE webhook_endpoints SET state = 'disabled', disabled_at = now(), disabled_reason = 'owner' WHERE id = ${closed}::uuid`;
  const lookUps = await side.$transaction(async (transaction) => {
    await transaction.$executeRaw`SELECT drop_webhook_orphans(5000)`;
    const [row] = await transaction.$queryRaw<{ scans: number }[]>`
      SELECT sum(pg_stat_get_xact_numscans(i.indexrelid))::int AS scans FROM pg_index i
      WHERE i.indrelid = 'webhook_deliveries'::regclass`;
    return row?.scans;
  });
  expect(await deliveriesTo(world.database, closed)).toMatchObject([{ state: 'dropped' }]);
  expect(lookUps).toBeGreaterThan(0);
  expect(lookUps).toBeLessThan(50);
});

test('the rows of endpoints that are gone for an hour are removed, and no younger ones', async () => {
  const party = await world.party();
  const { side } = world.database;
  await side.$executeRaw`DELETE FROM webhook_endpoints`;
  const kept = await plantEndpoint(world.database, party.accountId, { state: 'disabled' });
  await side.$executeRaw`UPDATE webhook_endpoints SET disabled_at = now() - interval '9 days' WHERE id = ${kept}::uuid`;
  await plantEndpoint(world.database, party.accountId, { kind: 'listener', expiresInMs: -3_700_000 });
  await churn(party, 1_100, 61);
  await churn(party, 2, 50);
  const left = async () => {
    const [row] = await side.$queryRaw<{ count: number }[]>`SELECT count(*)::int AS count FROM webhook_endpoints`;
    return row?.count;
  };
  await store.dropOrphans();
  expect(await left()).toBe(104);
  await store.dropOrphans();
  expect(await left()).toBe(3);
});

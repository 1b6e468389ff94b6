import type { AccountId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { plantEndpoint } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createWebhookStore } from './webhook-store.ts';

const RETENTION_DAYS = 14;

let world: World;
let accountId: AccountId;
let store: ReturnType<typeof createWebhookStore>;
beforeAll(async () => {
  world = await createWorld();
  store = createWebhookStore(world.database, { workerId: 'worker-1' });
});
beforeEach(async () => {
  await world.database.side.$executeRaw`DELETE FROM webhook_replays`;
  ({ accountId } = await world.party());
});
afterAll(() => world.close());

async function plantReplay(state: string, daysAgo: number): Promise<string> {
  const endpointId = await plantEndpoint(world.database, accountId);
  const [row] = await world.database.side.$queryRaw<{ id: string }[]>`
    INSERT INTO webhook_replays (account_id, endpoint_id, since, until, "only", end_id, state, created_by, created_at)
    VALUES (${accountId}::uuid, ${endpointId}::uuid, now(), now(), 'all', 0, ${state}, 'test',
      clock_timestamp() - make_interval(days => ${daysAgo}::int)) RETURNING id`;
  return row?.id ?? '';
}

async function plantNotice(daysAgo: number): Promise<string> {
  const [row] = await world.database.side.$queryRaw<{ id: string }[]>`
    INSERT INTO account_notices (account_id, kind, created_at)
    VALUES (${accountId}::uuid, 'webhook_endpoint_failing', clock_timestamp() - make_interval(days => ${daysAgo}::int))
    RETURNING id`;
  return row?.id ?? '';
}

async function left(): Promise<readonly string[]> {
  const rows = await world.database.side.$queryRaw<{ id: string }[]>`
    SELECT id FROM webhook_replays WHERE account_id = ${accountId}::uuid
    UNION ALL SELECT id FROM account_notices WHERE account_id = ${accountId}::uuid`;
  return rows.map(({ id }) => id);
}

test('replays that ended are deleted after the retention; running and younger ones stay', async () => {
  await plantReplay('done', RETENTION_DAYS + 1);
  await plantReplay('cancelled', RETENTION_DAYS + 1);
  const kept = [await plantReplay('running', RETENTION_DAYS + 1), await plantReplay('done', RETENTION_DAYS - 1)];
  expect(await store.deleteExpired(RETENTION_DAYS)).toBe(2);
  expect((await left()).toSorted()).toEqual(kept.toSorted());
  expect(await store.deleteExpired(RETENTION_DAYS)).toBe(0);
});

test('notices are deleted after 30 days, however short the retention of webhooks is', async () => {
  await plantNotice(31);
  const kept = await plantNotice(29);
  expect(await store.deleteExpired(1)).toBe(1);
  expect(await left()).toEqual([kept]);
});

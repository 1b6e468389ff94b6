import { randomUUID } from 'node:crypto';
import type { AccountId, WebhookEndpointId } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantEndpoint } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createWebhookEndpoints } from './webhook-endpoints.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

interface Planted {
  readonly accountId: AccountId;
  readonly endpointId: WebhookEndpointId;
  readonly state?: string;
  readonly hoursAgo?: number;
  readonly count?: number;
}

/** Deliveries of one hour. */
async function plant({ accountId, endpointId, state = 'delivered', hoursAgo = 0, count = 1 }: Planted): Promise<void> {
  await world.database.side.$executeRaw`
    INSERT INTO webhook_deliveries (message_id, endpoint_id, account_id, lane, type, state, tries_left, due_at, created_at)
    SELECT gen_random_uuid(), ${endpointId}::uuid, ${accountId}::uuid, ${endpointId}::uuid, 'call.ended', ${state}, 1, now(),
      date_trunc('hour', clock_timestamp(), 'UTC') - make_interval(hours => ${hoursAgo}::int)
    FROM generate_series(1, ${count}::int)`;
}

async function stage(endpoints = 1) {
  const { accountId } = await world.party();
  const ids: WebhookEndpointId[] = [];
  for (let n = 0; n < endpoints; n += 1) ids.push(await plantEndpoint(world.database, accountId));
  const own = createWebhookEndpoints(world.database, { accountId, actor: 'test' });
  const [endpointId] = ids;
  if (endpointId === undefined) throw new Error('there is an endpoint');
  return { accountId, endpointId, own };
}

test('the deliveries of the last 24 hours are counted by hour and state, of each standing endpoint', async () => {
  const { accountId, endpointId, own } = await stage(2);
  const of = { accountId, endpointId };
  await plant({ ...of, count: 3 });
  await plant({ ...of, state: 'failed', hoursAgo: 1, count: 2 });
  await plant({ ...of, state: 'pending', hoursAgo: 23 });
  await plant({ ...of, state: 'dropped', hoursAgo: 2 });
  await plant({ ...of, hoursAgo: 24 });
  const [first, second] = await own.activity();
  expect(first?.endpointId).toBe(endpointId);
  expect(first?.hours).toHaveLength(24);
  expect(first?.hours.at(-1)).toMatchObject({ delivered: 3, failed: 0, pending: 0, hasMore: false });
  expect(first?.hours.at(-2)).toMatchObject({ delivered: 0, failed: 2, pending: 0 });
  expect(first?.hours.at(-3)).toMatchObject({ delivered: 0, failed: 0, pending: 0 });
  expect(first?.hours[0]).toMatchObject({ delivered: 0, failed: 0, pending: 1 });
  const sum = (second?.hours ?? []).reduce((total, hour) => total + hour.delivered + hour.failed + hour.pending, 0);
  expect(sum).toBe(0);
});

test('another account’s deliveries are not counted', async () => {
  const [mine, other] = [await stage(), await stage()];
  await plant(other);
  expect((await mine.own.activity()).map(({ endpointId }) => endpointId)).toEqual([mine.endpointId]);
  expect(
    (await createWebhookEndpoints(world.database, { ...mine, actor: 'test' }).activity())[0]?.hours.at(-1),
  ).toMatchObject({
    delivered: 0,
  });
});

test('a busy hour is counted up to a bound, and hides no failure', async () => {
  const { accountId, endpointId, own } = await stage(4);
  const of = { accountId, endpointId };
  await plant({ ...of, state: 'failed', count: 7 });
  await plant({ ...of, count: 400 });
  const hour = (await own.activity())[0]?.hours.at(-1);
  expect(hour).toMatchObject({ failed: 7, hasMore: true });
  expect(hour?.delivered).toBeGreaterThanOrEqual(118);
  expect(hour?.delivered).toBeLessThanOrEqual(125);
});

test('an account without endpoints has no activity', async () => {
  const { accountId } = await world.party();
  expect(await createWebhookEndpoints(world.database, { accountId, actor: randomUUID() }).activity()).toEqual([]);
});

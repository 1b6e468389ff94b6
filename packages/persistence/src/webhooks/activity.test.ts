import { randomUUID } from 'node:crypto';
import type { AccountId, WebhookEndpointId } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantEndpoint } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
import type { EndpointActivity } from './activity.ts';
import { createWebhookEndpoints } from './webhook-endpoints.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

interface Planted {
  readonly accountId: AccountId;
  readonly endpointId: WebhookEndpointId;
  /** The start of the hour in which the test began: the next hour may begin while it runs. */
  readonly hourMs: number;
  readonly state?: string;
  readonly hoursAgo?: number;
  readonly count?: number;
}

const HOUR_MS = 3_600_000;

/** Deliveries of one hour. */
async function plant({
  accountId,
  endpointId,
  hourMs,
  state = 'delivered',
  hoursAgo = 0,
  count = 1,
}: Planted): Promise<void> {
  const createdAt = new Date(hourMs - hoursAgo * HOUR_MS);
  await world.database.side.$executeRaw`
    INSERT INTO webhook_deliveries (message_id, endpoint_id, account_id, lane, type, state, tries_left, due_at, created_at)
    SELECT gen_random_uuid(), ${endpointId}::uuid, ${accountId}::uuid, ${endpointId}::uuid, 'call.ended', ${state}, 1, now(),
      ${createdAt}::timestamptz
    FROM generate_series(1, ${count}::int)`;
}

async function stage(endpoints = 1) {
  const { accountId } = await world.party();
  const ids: WebhookEndpointId[] = [];
  for (let n = 0; n < endpoints; n += 1) ids.push(await plantEndpoint(world.database, accountId));
  const own = createWebhookEndpoints(world.database, { accountId, actor: 'test' });
  const [endpointId] = ids;
  if (endpointId === undefined) throw new Error('there is an endpoint');
  const [now] = await world.database.side.$queryRaw<[{ hourMs: number }]>`
    SELECT epoch_ms(date_trunc('hour', clock_timestamp(), 'UTC')) AS "hourMs"`;
  return { accountId, endpointId, own, hourMs: now.hourMs };
}

/** Endpoints created in the same millisecond have no certain order. */
const hoursOf = (activity: readonly EndpointActivity[], endpointId: string | undefined) =>
  activity.find((of) => of.endpointId === endpointId)?.hours ?? [];

test('the deliveries of the last 24 hours are counted by hour and state, of each standing endpoint', async () => {
  const { accountId, endpointId, own, hourMs } = await stage(2);
  const of = { accountId, endpointId, hourMs };
  await plant({ ...of, count: 3 });
  await plant({ ...of, state: 'failed', hoursAgo: 1, count: 2 });
  await plant({ ...of, state: 'pending', hoursAgo: 22 });
  await plant({ ...of, state: 'dropped', hoursAgo: 2 });
  await plant({ ...of, hoursAgo: 24 });
  const activity = await own.activity();
  const counted = hoursOf(activity, endpointId).map(({ atMs, delivered, failed, pending }) => ({
    hoursAgo: (hourMs - atMs) / HOUR_MS,
    counts: [delivered, failed, pending],
  }));
  expect(counted).toHaveLength(24);
  expect(counted.filter(({ counts }) => counts.some((count) => count > 0))).toEqual([
    { hoursAgo: 22, counts: [0, 0, 1] },
    { hoursAgo: 1, counts: [0, 2, 0] },
    { hoursAgo: 0, counts: [3, 0, 0] },
  ]);
  const other = activity.find((of) => of.endpointId !== endpointId);
  expect(other?.hours).toHaveLength(24);
  expect(other?.hours.every((hour) => hour.delivered + hour.failed + hour.pending === 0)).toBe(true);
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
  const { accountId, endpointId, own, hourMs } = await stage(4);
  const of = { accountId, endpointId, hourMs };
  await plant({ ...of, state: 'failed', count: 7 });
  await plant({ ...of, count: 400 });
  const hour = hoursOf(await own.activity(), endpointId).find(({ atMs }) => atMs === hourMs);
  expect(hour).toMatchObject({ failed: 7, hasMore: true });
  expect(hour?.delivered).toBeGreaterThanOrEqual(118);
  expect(hour?.delivered).toBeLessThanOrEqual(125);
});

test('an account without endpoints has no activity', async () => {
  const { accountId } = await world.party();
  expect(await createWebhookEndpoints(world.database, { accountId, actor: randomUUID() }).activity()).toEqual([]);
});

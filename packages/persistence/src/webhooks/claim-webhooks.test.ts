import type { ClaimedDelivery } from '@outdial/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  attemptOf,
  claimAll,
  deliveriesTo,
  passTime,
  plantEndpoint,
  PLENTY,
  queue,
  RETRY_LATER,
} from '../../test/webhooks.ts';
import { createWorld, cycle, type World } from '../../test/world.ts';
import { createWebhookStore } from './webhook-store.ts';

let world: World;
let store: ReturnType<typeof createWebhookStore>;
beforeAll(async () => {
  world = await createWorld();
  store = createWebhookStore(world.database, { workerId: 'worker-1' });
});
beforeEach(async () => {
  // Claims are over all accounts: each test begins with nothing pending.
  await world.database.side.$executeRaw`DELETE FROM webhook_deliveries`;
});
afterAll(() => world.close());

const newStore = () => createWebhookStore(world.database, { workerId: 'worker-2' });
const keyOf = ({ messageId, endpointId }: ClaimedDelivery) => `${messageId} ${endpointId}`;

test('a claim has all that an attempt needs, and counts it before it is made', async () => {
  const party = await world.party();
  const endpointId = await plantEndpoint(world.database, party.accountId);
  const [callId] = await queue(world, party, 1);
  const { deliveries, hasMoreLanes } = await store.claim(PLENTY);
  expect(hasMoreLanes).toBe(false);
  expect(deliveries).toEqual([
    {
      messageId: expect.any(String),
      endpointId,
      accountId: party.accountId,
      laneId: endpointId,
      kind: 'standing',
      url: 'https://receiver.example/hooks',
      type: 'call.queued',
      occurredAtMs: expect.any(Number),
      callId,
      attempt: 1,
      triesLeft: 9,
      laneIsHealthy: true,
      apiVersion: '2026-12-01',
      sealedSecret: new Uint8Array(Buffer.from('sealed')),
      previousSealedSecret: null,
      body: null,
      traceParent: null,
    },
  ]);
  expect(await deliveriesTo(world.database, endpointId)).toMatchObject([
    { state: 'pending', attempts: 1, triesLeft: 9 },
  ]);
  expect(await claimAll(store)).toEqual([]);
});

test('a call’s URL is claimed with it', async () => {
  const party = await world.party();
  await plantEndpoint(world.database, party.accountId, { kind: 'per_call' });
  await queue(world, party, 1, 'https://customer.example/hook');
  expect(await claimAll(store)).toMatchObject([
    { kind: 'per_call', url: 'https://customer.example/hook', triesLeft: 4 },
  ]);
});

test('while webhooks are paused nothing is claimed', async () => {
  const party = await world.party();
  await plantEndpoint(world.database, party.accountId);
  await queue(world, party, 1);
  await world.database.side.$executeRaw`UPDATE system_settings SET webhooks_paused = true`;
  expect(await store.claim(PLENTY)).toEqual({ deliveries: [], hasMoreLanes: false, nextDueInMs: null });
  await world.database.side.$executeRaw`UPDATE system_settings SET webhooks_paused = false`;
  expect(await claimAll(store)).toHaveLength(1);
});

describe('the limits of a lane', () => {
  test('two claimers at once never take the same delivery, and never exceed a lane', async () => {
    const parties = await Promise.all(Array.from({ length: 4 }, () => world.party()));
    const endpoints = await Promise.all(
      parties.map(({ accountId }, index) => plantEndpoint(world.database, accountId, { maxInFlight: index + 2 })),
    );
    await Promise.all(parties.map((party) => queue(world, party, 12)));
    const stores = [newStore(), newStore(), newStore()];
    const claims = await Promise.all(Array.from({ length: 12 }, (_, index) => cycle(stores, index).claim(PLENTY)));
    const claimed = claims.flatMap(({ deliveries }) => deliveries);
    expect(new Set(claimed.map(keyOf)).size).toBe(claimed.length);
    for (const [index, endpointId] of endpoints.entries()) {
      expect(claimed.filter((each) => each.endpointId === endpointId)).toHaveLength(index + 2);
    }
  });

  test('what is finished makes room for as much', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId, { maxInFlight: 2 });
    await queue(world, party, 5);
    const [first, second] = await claimAll(store);
    expect(await claimAll(store)).toEqual([]);
    if (!first || !second) throw new Error('two are claimed');
    await store.finish(attemptOf(first));
    expect(await claimAll(store)).toHaveLength(1);
  });

  test('a lane with five failures in a row has one request at a time, until one succeeds', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId, { maxInFlight: 5 });
    await queue(world, party, 12);
    for (const delivery of await claimAll(store)) await store.finish(attemptOf(delivery, RETRY_LATER));
    const [only, ...others] = await claimAll(store);
    expect(others).toEqual([]);
    if (!only) throw new Error('one is claimed');
    expect(only.laneIsHealthy).toBe(false);
    await store.finish(attemptOf(only));
    expect((await claimAll(store)).map(({ laneIsHealthy }) => laneIsHealthy)).toEqual(
      Array.from({ length: 5 }, () => true),
    );
  });

  test('an origin of call URLs has two at a time, whatever the other origins have', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId, { kind: 'per_call' });
    await Promise.all([queue(world, party, 5, 'https://a.example/x'), queue(world, party, 5, 'https://c.example/y')]);
    const urls = (await claimAll(store)).map(({ url }) => url);
    expect(urls.toSorted()).toEqual([
      'https://a.example/x',
      'https://a.example/x',
      'https://c.example/y',
      'https://c.example/y',
    ]);
  });

  test('a rate of one a second sends one, then waits a second (hole 2)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, { ratePerSecond: 1 });
    await queue(world, party, 3);
    const claim = await store.claim(PLENTY);
    expect(claim.deliveries).toHaveLength(1);
    expect(claim.nextDueInMs).toBeGreaterThan(0);
    expect(claim.nextDueInMs).toBeLessThanOrEqual(1_000);
    expect(await claimAll(store)).toEqual([]);
    const { side } = world.database;
    const [lane] = await side.$queryRaw<{ waits: boolean }[]>`
      SELECT not_before > clock_timestamp() AS waits FROM webhook_lanes WHERE lane = ${endpointId}::uuid`;
    expect(lane).toEqual({ waits: true });
    await side.$executeRaw`UPDATE webhook_lanes SET not_before = clock_timestamp() WHERE lane = ${endpointId}::uuid`;
    expect(await claimAll(store)).toHaveLength(1);
  });

  test('a rate of 20 a second sends five in a quarter of a second', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId, { ratePerSecond: 20 });
    await queue(world, party, 9);
    expect(await claimAll(store)).toHaveLength(5);
  });
});

test('a crash loop runs out: an attempt that never ends uses up its try, and the last one fails the delivery', async () => {
  const party = await world.party();
  const endpointId = await plantEndpoint(world.database, party.accountId, { kind: 'per_call' });
  await queue(world, party, 1, 'https://customer.example/hook');
  for (const triesLeft of [4, 3, 2, 1, 0]) {
    expect(await claimAll(store)).toMatchObject([{ triesLeft }]);
    await passTime(world.database, endpointId);
  }
  expect(await claimAll(store)).toEqual([]);
  expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'failed', attempts: 5 }]);
});

import type { CallId } from '@outdial/contracts';
import type { ClaimedDelivery } from '@outdial/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  attemptOf,
  claimAll,
  deliveriesTo,
  passTime,
  plantEndpoint,
  PLENTY,
  RETRY_LATER,
} from '../../test/webhooks.ts';
import { createWorld, cycle, type Party, type World } from '../../test/world.ts';
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

const newStore = (maxLanes?: number) =>
  createWebhookStore(world.database, { workerId: 'worker-2', ...(maxLanes === undefined ? {} : { maxLanes }) });
const keyOf = ({ messageId, endpointId }: ClaimedDelivery) => `${messageId} ${endpointId}`;

/** `count` queued calls, and so as many pending deliveries for each endpoint of the account. */
async function queue(party: Party, count: number, webhookUrl?: string): Promise<readonly CallId[]> {
  const changes = webhookUrl === undefined ? {} : { webhookUrl };
  const calls = await Promise.all(Array.from({ length: count }, () => world.queued(party, changes)));
  return calls.map(({ id }) => id);
}

/** One call with `queued`, `dialing` and `ringing`. */
async function ringing(party: Party): Promise<CallId> {
  const { id, startedAtMs } = await world.claimed(party);
  await world.drives.advance({ callId: id, epoch: 1, to: 'ringing', atMs: startedAtMs, sipCode: 180 });
  return id;
}

test('a claim has all that an attempt needs, and counts it before it is made', async () => {
  const party = await world.party();
  const endpointId = await plantEndpoint(world.database, party.accountId);
  const [callId] = await queue(party, 1);
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
  await queue(party, 1, 'https://customer.example/hook');
  expect(await claimAll(store)).toMatchObject([
    { kind: 'per_call', url: 'https://customer.example/hook', triesLeft: 4 },
  ]);
});

test('while webhooks are paused nothing is claimed', async () => {
  const party = await world.party();
  await plantEndpoint(world.database, party.accountId);
  await queue(party, 1);
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
    await Promise.all(parties.map((party) => queue(party, 12)));
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
    await queue(party, 5);
    const [first, second] = await claimAll(store);
    expect(await claimAll(store)).toEqual([]);
    if (!first || !second) throw new Error('two are claimed');
    await store.finish(attemptOf(first));
    expect(await claimAll(store)).toHaveLength(1);
  });

  test('a lane with five failures in a row has one request at a time, until one succeeds', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId, { maxInFlight: 5 });
    await queue(party, 12);
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
    await Promise.all([queue(party, 5, 'https://a.example/x'), queue(party, 5, 'https://c.example/y')]);
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
    await queue(party, 3);
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
    await queue(party, 9);
    expect(await claimAll(store)).toHaveLength(5);
  });
});

describe('many lanes', () => {
  test('each gets a share of the free slots, and a large backlog of one delays no other', async () => {
    const parties = await Promise.all(Array.from({ length: 20 }, () => world.party()));
    await Promise.all(parties.map(({ accountId }) => plantEndpoint(world.database, accountId)));
    const [busy, ...others] = parties;
    if (!busy) throw new Error('there is a party');
    await queue(busy, 300);
    await Promise.all(others.map((party) => queue(party, 2)));
    const claimed = await claimAll(store, { freeSlots: 20, freeSlotsForHealthyLanes: 4 });
    expect(new Set(claimed.map(({ accountId }) => accountId)).size).toBe(20);
  });

  test('an account with many slow receivers takes its share of a process, and its backlog delays no neighbor', async () => {
    const [slow, neighbor] = [await world.party(), await world.party()];
    await Promise.all(Array.from({ length: 5 }, () => plantEndpoint(world.database, slow.accountId)));
    await plantEndpoint(world.database, neighbor.accountId);
    await queue(slow, 20);
    await queue(neighbor, 3);
    const perAccount = { most: 4, inFlight: new Map([[slow.accountId, 1]]) };
    const claimed = await claimAll(store, { freeSlots: 6, freeSlotsForHealthyLanes: 1, perAccount });
    const of = ({ accountId }: { readonly accountId: string }) =>
      claimed.filter((each) => each.accountId === accountId).length;
    expect([of(slow), of(neighbor)]).toEqual([3, 3]);
    const full = { most: 4, inFlight: new Map([[slow.accountId, 4]]) };
    expect(await claimAll(store, { freeSlots: 6, freeSlotsForHealthyLanes: 1, perAccount: full })).toEqual([]);
  });

  test('lanes that fail leave free the slots that are kept for healthy ones', async () => {
    const [failing, healthy] = [await world.party(), await world.party()];
    const lane = await plantEndpoint(world.database, failing.accountId);
    await plantEndpoint(world.database, healthy.accountId);
    await world.database.side.$executeRaw`
      INSERT INTO webhook_lanes (lane, endpoint_id, failures) VALUES (${lane}::uuid, ${lane}::uuid, 1)`;
    await queue(failing, 9);
    const limits = { freeSlots: 5, freeSlotsForHealthyLanes: 3 };
    expect(await claimAll(store, limits)).toHaveLength(2);
    await queue(healthy, 9);
    const claimed = await claimAll(store, limits);
    expect(claimed).toHaveLength(5);
    expect(claimed.filter(({ laneIsHealthy }) => laneIsHealthy)).toHaveLength(3);
  });

  test('a round looks at a part of the lanes, and the next one goes on from there (hole 4)', async () => {
    const parties = await Promise.all(Array.from({ length: 7 }, () => world.party()));
    await Promise.all(parties.map(({ accountId }) => plantEndpoint(world.database, accountId)));
    await Promise.all(parties.map((party) => queue(party, 1)));
    const small = newStore(3);
    const rounds = [await small.claim(PLENTY), await small.claim(PLENTY), await small.claim(PLENTY)];
    expect(rounds.map(({ deliveries, hasMoreLanes }) => [deliveries.length, hasMoreLanes])).toEqual([
      [3, true],
      [3, true],
      [1, false],
    ]);
  });

  test('listeners are never claimed, and expired ones get nothing more (hole 4)', async () => {
    const party = await world.party();
    const listener = await plantEndpoint(world.database, party.accountId, { kind: 'listener' });
    const expired = await plantEndpoint(world.database, party.accountId, { kind: 'listener', expiresInMs: -1 });
    await queue(party, 1);
    expect(await deliveriesTo(world.database, listener)).toHaveLength(1);
    expect(await deliveriesTo(world.database, expired)).toEqual([]);
    expect(await claimAll(store)).toEqual([]);
  });
});

describe('the order of a call’s events', () => {
  test('one waits for an earlier one until that is delivered, then is due at once', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId);
    await ringing(party);
    const sent: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const [next, ...others] = await claimAll(store);
      if (!next) throw new Error('one is claimed');
      expect(others).toEqual([]);
      expect(await claimAll(store)).toEqual([]);
      sent.push(next.type);
      await store.finish(attemptOf(next));
    }
    expect(sent).toEqual(['call.queued', 'call.dialing', 'call.ringing']);
  });

  test('a later one gets the time of its predecessor’s next try, so that it leaves the head of the lane (hole 1)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    await ringing(party);
    const [first] = await claimAll(store);
    if (!first) throw new Error('one is claimed');
    await store.finish(attemptOf(first, RETRY_LATER));
    const dues = (await deliveriesTo(world.database, endpointId)).map(({ dueInMs }) => dueInMs);
    expect(new Set(dues.map((due) => Math.round(due / 60_000)))).toEqual(new Set([5]));
  });

  test('one that is announced while its predecessor waits is delayed by the claim that finds it (hole 1)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const { id } = await world.queued(party);
    const [first] = await claimAll(store);
    if (!first) throw new Error('one is claimed');
    await store.finish(attemptOf(first, RETRY_LATER));
    await world.ends.requestEnd({ accountId: party.accountId, callId: id });
    expect(await claimAll(store)).toEqual([]);
    const [, ended] = await deliveriesTo(world.database, endpointId);
    expect(ended).toMatchObject({ type: 'call.ended', attempts: 0 });
    expect(ended?.dueInMs).toBeGreaterThan(240_000);
  });

  test('it may overtake after the third failure, and not while the third attempt is in flight (hole 8)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    await ringing(party);
    for (const attempt of [1, 2, 3]) {
      await passTime(world.database, endpointId);
      const [first, ...others] = await claimAll(store);
      expect(others).toEqual([]);
      if (!first) throw new Error('one is claimed');
      expect(first).toMatchObject({ type: 'call.queued', attempt });
      await store.finish(attemptOf(first, RETRY_LATER));
    }
    expect(await claimAll(store)).toMatchObject([{ type: 'call.dialing', attempt: 1 }]);
  });

  test('other calls do not wait', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId);
    await Promise.all([ringing(party), ringing(party), ringing(party)]);
    expect((await claimAll(store)).map(({ type }) => type)).toEqual(['call.queued', 'call.queued', 'call.queued']);
  });

  test('250 events that wait in a lane that fails hide no event that is due (hole 1)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, { maxInFlight: 1_000 });
    const calls = await queue(party, 250);
    // One round looks at no more than 200 of a lane.
    for (let round = 0; round < 2; round += 1) {
      const claimed = await claimAll(store);
      await Promise.all(claimed.map((delivery) => store.finish(attemptOf(delivery, RETRY_LATER))));
      await world.database.side.$executeRaw`UPDATE webhook_lanes SET failures = 0`;
    }
    await Promise.all(calls.map((callId) => world.ends.requestEnd({ accountId: party.accountId, callId })));
    const [fresh] = await queue(party, 1);
    const found: (CallId | null)[] = [];
    for (let round = 0; round < 3; round += 1) found.push(...(await claimAll(store)).map(({ callId }) => callId));
    expect(found).toEqual([fresh]);
    const due = (await deliveriesTo(world.database, endpointId)).filter(({ dueInMs }) => dueInMs <= 0);
    expect(due).toEqual([]);
  });
});

test('a crash loop runs out: an attempt that never ends uses up its try, and the last one fails the delivery', async () => {
  const party = await world.party();
  const endpointId = await plantEndpoint(world.database, party.accountId, { kind: 'per_call' });
  await queue(party, 1, 'https://customer.example/hook');
  for (const triesLeft of [4, 3, 2, 1, 0]) {
    expect(await claimAll(store)).toMatchObject([{ triesLeft }]);
    await passTime(world.database, endpointId);
  }
  expect(await claimAll(store)).toEqual([]);
  expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'failed', attempts: 5 }]);
});

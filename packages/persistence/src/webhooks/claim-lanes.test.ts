import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimAll, deliveriesTo, plantEndpoint, PLENTY, queue } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
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

describe('many lanes', () => {
  test('each gets a share of the free slots, and a large backlog of one delays no other', async () => {
    const parties = await Promise.all(Array.from({ length: 20 }, () => world.party()));
    await Promise.all(parties.map(({ accountId }) => plantEndpoint(world.database, accountId)));
    const [busy, ...others] = parties;
    if (!busy) throw new Error('there is a party');
    await queue(world, busy, 300);
    await Promise.all(others.map((party) => queue(world, party, 2)));
    const claimed = await claimAll(store, { freeSlots: 20, freeSlotsForHealthyLanes: 4 });
    expect(new Set(claimed.map(({ accountId }) => accountId)).size).toBe(20);
  });

  test('an account with many slow receivers takes its share of a process, and its backlog delays no neighbor', async () => {
    const [slow, neighbor] = [await world.party(), await world.party()];
    await Promise.all(Array.from({ length: 5 }, () => plantEndpoint(world.database, slow.accountId)));
    await plantEndpoint(world.database, neighbor.accountId);
    await queue(world, slow, 20);
    await queue(world, neighbor, 3);
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
    await queue(world, failing, 9);
    const limits = { freeSlots: 5, freeSlotsForHealthyLanes: 3 };
    expect(await claimAll(store, limits)).toHaveLength(2);
    await queue(world, healthy, 9);
    const claimed = await claimAll(store, limits);
    expect(claimed).toHaveLength(5);
    expect(claimed.filter(({ laneIsHealthy }) => laneIsHealthy)).toHaveLength(3);
  });

  test('a round looks at a part of the lanes, and the next one goes on from there (hole 4)', async () => {
    const parties = await Promise.all(Array.from({ length: 7 }, () => world.party()));
    await Promise.all(parties.map(({ accountId }) => plantEndpoint(world.database, accountId)));
    await Promise.all(parties.map((party) => queue(world, party, 1)));
    const small = createWebhookStore(world.database, { workerId: 'worker-2', maxLanes: 3 });
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
    await queue(world, party, 1);
    expect(await deliveriesTo(world.database, listener)).toHaveLength(1);
    expect(await deliveriesTo(world.database, expired)).toEqual([]);
    expect(await claimAll(store)).toEqual([]);
  });
});

import type { CallId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  attemptOf,
  claimAll,
  deliveriesTo,
  passTime,
  plantEndpoint,
  queue,
  RETRY_LATER,
  ringing,
} from '../../test/webhooks.ts';
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

describe('the order of a call’s events', () => {
  test('one waits for an earlier one until that is delivered, then is due at once', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    await ringing(world, party);
    const sent: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const [next, ...others] = await claimAll(store);
      if (!next) throw new Error('one is claimed');
      expect(others).toEqual([]);
      expect(await claimAll(store)).toEqual([]);
      // A claim that delays it would hold it up: the outcome of its predecessor skips what the claim has locked.
      const waiting = (await deliveriesTo(world.database, endpointId)).filter(({ attempts }) => attempts === 0);
      expect(waiting.filter(({ dueInMs }) => dueInMs > 0)).toEqual([]);
      sent.push(next.type);
      await store.finish(attemptOf(next));
    }
    expect(sent).toEqual(['call.queued', 'call.dialing', 'call.ringing']);
  });

  test('a later one gets the time of its predecessor’s next try, so that it leaves the head of the lane (hole 1)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    await ringing(world, party);
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
    await ringing(world, party);
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

  test('it does not overtake one whose claims were released: no request was made', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    await ringing(world, party);
    for (const attempt of [1, 2, 3, 4]) {
      await passTime(world.database, endpointId);
      const claims = await claimAll(store);
      expect(claims).toMatchObject([{ type: 'call.queued', attempt }]);
      await store.release(claims);
    }
  });

  test('it waits for one that is replayed, however many attempts that has had', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId);
    await ringing(world, party);
    await world.database.side.$executeRaw`UPDATE webhook_deliveries SET attempts = 10`;
    expect(await claimAll(store)).toMatchObject([{ type: 'call.queued', attempt: 11 }]);
  });

  test('other calls do not wait', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId);
    await Promise.all([ringing(world, party), ringing(world, party), ringing(world, party)]);
    expect((await claimAll(store)).map(({ type }) => type)).toEqual(['call.queued', 'call.queued', 'call.queued']);
  });

  test('250 events that wait in a lane that fails hide no event that is due (hole 1)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, { maxInFlight: 1_000 });
    const calls = await queue(world, party, 250);
    // One round looks at no more than 200 of a lane.
    for (let round = 0; round < 2; round += 1) {
      const claimed = await claimAll(store);
      await Promise.all(claimed.map((delivery) => store.finish(attemptOf(delivery, RETRY_LATER))));
      await world.database.side.$executeRaw`UPDATE webhook_lanes SET failures = 0`;
    }
    await Promise.all(calls.map((callId) => world.ends.requestEnd({ accountId: party.accountId, callId })));
    const [fresh] = await queue(world, party, 1);
    const found: (CallId | null)[] = [];
    for (let round = 0; round < 3; round += 1) found.push(...(await claimAll(store)).map(({ callId }) => callId));
    expect(found).toEqual([fresh]);
    const due = (await deliveriesTo(world.database, endpointId)).filter(({ dueInMs }) => dueInMs <= 0);
    expect(due).toEqual([]);
  });
});

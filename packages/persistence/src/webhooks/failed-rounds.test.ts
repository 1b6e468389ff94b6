import type { ClaimedDelivery } from '@outdial/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attemptOf, claimAll, deliveriesTo, passTime, plantEndpoint, queue } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createWebhookEndpoints } from './webhook-endpoints.ts';
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

async function claimed(count: number) {
  const party = await world.party();
  const endpointId = await plantEndpoint(world.database, party.accountId);
  await queue(world, party, count);
  const claims = await claimAll(store);
  const [first] = claims;
  if (!first) throw new Error('one is claimed');
  return { party, endpointId, claims, first };
}

const idsOf = (some: readonly ClaimedDelivery[]) => some.map(({ messageId }) => messageId);

test('messages whose calls cannot be read, by Postgres or by this version, hold up no others', async () => {
  const { claims } = await claimed(6);
  const { side } = world.database;
  await side.$executeRaw`ALTER TABLE calls DROP CONSTRAINT calls_claimed_check`;
  const [unknown, broken, ...others] = claims;
  await side.$executeRaw`UPDATE calls SET status = 'dialing' WHERE id = ${unknown?.callId}::uuid`;
  // Stands for a damaged row: every statement that reads this call is rejected.
  await side.$executeRaw`
    CREATE OR REPLACE FUNCTION epoch_ms(moment timestamptz) RETURNS double precision LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT round(extract(epoch FROM moment) * 1000)::bigint::double precision $$`;
  await side.$executeRaw`UPDATE calls SET created_at = 'infinity' WHERE id = ${broken?.callId}::uuid`;
  const facts = await store.factsOf(idsOf(claims));
  const unreadable = facts.filter((one) => 'error' in one);
  expect(new Set(unreadable.map(({ messageId }) => messageId))).toEqual(new Set(idsOf(claims.slice(0, 2))));
  const read = facts.filter((one) => 'call' in one);
  expect(new Set(read.map(({ messageId }) => messageId))).toEqual(new Set(idsOf(others)));
});

describe('a claim that is released', () => {
  test('is due again in seconds with the try that it took, and is not released twice', async () => {
    const { endpointId, claims } = await claimed(2);
    await store.release(claims);
    await store.release(claims);
    const rows = await deliveriesTo(world.database, endpointId);
    expect(rows).toMatchObject(Array.from({ length: 2 }, () => ({ state: 'pending', attempts: 1, triesLeft: 10 })));
    for (const { dueInMs } of rows) expect(Math.abs(dueInMs - 5_000)).toBeLessThan(2_500);
    await passTime(world.database, endpointId);
    expect(await claimAll(store)).toMatchObject([
      { attempt: 2, triesLeft: 9 },
      { attempt: 2, triesLeft: 9 },
    ]);
  });

  test('that another worker has by now stays with it', async () => {
    const { endpointId, claims } = await claimed(1);
    await passTime(world.database, endpointId);
    const [again] = await claimAll(store);
    await store.release(claims);
    expect(await claimAll(store)).toEqual([]);
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([
      { attempts: again?.attempt, triesLeft: again?.triesLeft },
    ]);
  });

  test('has no more tries than a delivery may have, also when a resend has given it all of them', async () => {
    const { endpointId, claims } = await claimed(1);
    await world.database.side.$executeRaw`UPDATE webhook_deliveries SET tries_left = 10`;
    await store.release(claims);
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'pending', triesLeft: 10 }]);
  });

  test('again and again runs out', async () => {
    const { endpointId, claims } = await claimed(1);
    await world.database.side.$executeRaw`UPDATE webhook_deliveries SET attempts = 100`;
    await store.release(claims.map((claim) => ({ ...claim, attempt: 100 })));
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'pending', triesLeft: 9 }]);
  });
});

test('a body that cannot be formed is logged, and is no failure of the receiver', async () => {
  const { party, endpointId, first } = await claimed(1);
  const verdict = { kind: 'retry', dueInMs: 5_000, laneDelayMs: 0 } as const;
  await store.finish({ ...attemptOf(first, verdict), status: null, error: 'body' });
  const endpoints = createWebhookEndpoints(world.database, { accountId: party.accountId, actor: 'test' });
  expect(await endpoints.find(endpointId)).toMatchObject({ failures: 0, failingSinceMs: null });
  expect(await endpoints.message(first.messageId)).toMatchObject({
    deliveries: [{ state: 'pending', lastError: 'body', attemptLog: [{ number: 1, error: 'body' }] }],
  });
});

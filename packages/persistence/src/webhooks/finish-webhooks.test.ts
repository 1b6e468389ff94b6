import { randomUUID } from 'node:crypto';
import { webhookMessageIdSchema } from '@outdial/contracts';
import type { ClaimedDelivery } from '@outdial/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attemptOf, claimAll, deliveriesTo, passTime, plantEndpoint, RETRY_LATER } from '../../test/webhooks.ts';
import { createWorld, cycle, settlementOf, type Party, type World } from '../../test/world.ts';
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

async function claimOne(party: Party): Promise<ClaimedDelivery> {
  await world.queued(party);
  const [delivery] = await claimAll(store);
  if (!delivery) throw new Error('one is claimed');
  return delivery;
}

const laneOf = async (laneId: string) => {
  const [row] = await world.database.side.$queryRaw<{ failures: number; isFailing: boolean; isPutOff: boolean }[]>`
    SELECT failures, failing_since IS NOT NULL AS "isFailing", not_before > clock_timestamp() AS "isPutOff"
    FROM webhook_lanes WHERE lane = ${laneId}::uuid`;
  return row;
};

const attemptsOf = ({ messageId }: ClaimedDelivery) =>
  world.database.side.$queryRaw`
    SELECT number, status, error, response_headers AS headers, response_body AS body, duration_ms AS "durationMs",
      worker_id AS "workerId" FROM webhook_attempts WHERE message_id = ${messageId}::uuid ORDER BY number`;

test('a success delivers and logs the attempt', async () => {
  const party = await world.party();
  const endpointId = await plantEndpoint(world.database, party.accountId);
  const delivery = await claimOne(party);
  await store.finish(attemptOf(delivery));
  expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  const headers = { 'content-type': 'text/plain' };
  const attempt = {
    number: 1,
    status: 200,
    error: null,
    headers,
    body: 'answer',
    durationMs: 12,
    workerId: 'worker-1',
  };
  expect(await attemptsOf(delivery)).toEqual([attempt]);
  expect(await laneOf(endpointId)).toEqual({ failures: 0, isFailing: false, isPutOff: false });
});

test('a failure that is to be retried is due later, and makes its lane unhealthy until a success', async () => {
  const party = await world.party();
  const endpointId = await plantEndpoint(world.database, party.accountId);
  await store.finish(attemptOf(await claimOne(party), RETRY_LATER));
  const [delivery] = await deliveriesTo(world.database, endpointId);
  expect(delivery).toMatchObject({ state: 'pending', attempts: 1 });
  expect(delivery?.dueInMs).toBeGreaterThan(240_000);
  expect(await laneOf(endpointId)).toEqual({ failures: 1, isFailing: true, isPutOff: false });
  await store.finish(attemptOf(await claimOne(party)));
  expect(await laneOf(endpointId)).toMatchObject({ failures: 0, isFailing: false });
});

test('a receiver that asks for a pause delays its lane alone (hole 3)', async () => {
  const party = await world.party();
  await plantEndpoint(world.database, party.accountId, { kind: 'per_call' });
  const urls = ['https://busy.example/a', 'https://free.example/b'];
  for (const webhookUrl of urls) await world.queued(party, { webhookUrl });
  const claimed = await claimAll(store);
  const busy = claimed.find(({ url }) => url.includes('busy'));
  const free = claimed.find(({ url }) => url.includes('free'));
  if (!busy || !free) throw new Error('both are claimed');
  await store.finish(attemptOf(busy, { kind: 'retry', dueInMs: 5_000, laneDelayMs: 3_600_000 }));
  await store.finish(attemptOf(free));
  for (const webhookUrl of urls) await world.queued(party, { webhookUrl });
  expect((await claimAll(store)).map(({ url }) => url)).toEqual(['https://free.example/b']);
  expect(await laneOf(busy.laneId)).toMatchObject({ isPutOff: true });
});

describe('410', () => {
  test('of a call’s URL fails that delivery alone (hole 3)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, { kind: 'per_call' });
    await world.queued(party, { webhookUrl: 'https://gone.example/a' });
    const [delivery] = await claimAll(store);
    if (!delivery) throw new Error('one is claimed');
    await store.finish(attemptOf(delivery, { kind: 'gone' }));
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'failed' }]);
    await world.queued(party, { webhookUrl: 'https://gone.example/a' });
    expect(await claimAll(store)).toHaveLength(1);
  });

  test('of a standing endpoint disables it, and the owners and the account’s other endpoints learn of it', async () => {
    const party = await world.party();
    const { side } = world.database;
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const delivery = await claimOne(party);
    const other = await plantEndpoint(world.database, party.accountId, { events: ['webhook.endpoint_disabled'] });
    await store.finish(attemptOf(delivery, { kind: 'gone' }));
    const endpoints = await side.$queryRaw`
      SELECT state, disabled_reason AS reason FROM webhook_endpoints WHERE id = ${endpointId}::uuid`;
    expect(endpoints).toEqual([{ state: 'disabled', reason: 'gone' }]);
    const notices = await side.$queryRaw`
      SELECT kind, data ->> 'endpoint_id' AS id FROM account_notices WHERE account_id = ${party.accountId}::uuid`;
    expect(notices).toEqual([{ kind: 'webhook_endpoint_disabled', id: endpointId }]);
    const [told] = await claimAll(store);
    expect(told).toMatchObject({ endpointId: other, type: 'webhook.endpoint_disabled', callId: null });
    expect(JSON.parse(told?.body ?? '')).toMatchObject({
      type: 'webhook.endpoint_disabled',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { endpoint: { id: endpointId, disabled_reason: 'gone' } },
    });
  });
});

describe('the fence of attempts', () => {
  test('an attempt that another process has repeated changes nothing, unless it delivered', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const late = await claimOne(party);
    await passTime(world.database, endpointId);
    const [repeated] = await claimAll(store);
    expect(repeated).toMatchObject({ attempt: 2 });
    await store.finish(attemptOf(late, { kind: 'failed', laneDelayMs: 0 }));
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'pending', attempts: 2 }]);
    await store.finish(attemptOf(late));
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    if (!repeated) throw new Error('it is claimed again');
    await store.finish(attemptOf(repeated, RETRY_LATER));
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'delivered' }]);
    expect(await attemptsOf(late)).toMatchObject([{ number: 1 }, { number: 2 }]);
  });

  test('a retry without a try left fails', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const delivery = await claimOne(party);
    await world.database.side.$executeRaw`UPDATE webhook_deliveries SET tries_left = 0`;
    await store.finish(attemptOf(delivery, RETRY_LATER));
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ state: 'failed' }]);
  });

  test('a delivery that is gone is no error', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId);
    const delivery = await claimOne(party);
    await expect(
      store.finish({ ...attemptOf(delivery), messageId: webhookMessageIdSchema.parse(randomUUID()) }),
    ).resolves.toBeUndefined();
  });
});

const verdictOf = (index: number) =>
  cycle([{ kind: 'delivered' }, RETRY_LATER, { kind: 'gone' }, RETRY_LATER, { kind: 'delivered' }] as const, index);

test('attempts of many lanes end together from two workers, with endpoints that are disabled: no deadlock (hole 7)', async () => {
  const parties = await Promise.all(Array.from({ length: 6 }, () => world.party()));
  await Promise.all(parties.map(({ accountId }) => plantEndpoint(world.database, accountId, { maxInFlight: 40 })));
  await Promise.all(Array.from({ length: 180 }, (_, index) => world.queued(cycle(parties, index))));
  const claimed = await claimAll(store);
  expect(claimed).toHaveLength(180);
  const stores = [store, createWebhookStore(world.database, { workerId: 'worker-2' })];
  await Promise.all([
    ...claimed.map((each, index) => cycle(stores, index).finish(attemptOf(each, verdictOf(index)))),
    ...Array.from({ length: 10 }, () => store.dropOrphans()),
    ...Array.from({ length: 10 }, () => store.claim({ freeSlots: 50, freeSlotsForHealthyLanes: 0 })),
  ]);
  const { side } = world.database;
  const lost = await side.$queryRaw`
    SELECT d.message_id FROM webhook_deliveries d
      LEFT JOIN webhook_attempts a ON a.message_id = d.message_id AND a.number = 1 WHERE a.number IS NULL`;
  expect(lost).toEqual([]);
});

describe('bodies', () => {
  test('the facts of a message have the call, which is never older than the event', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId, { events: ['call.ended'] });
    const call = await world.claimed(party);
    await world.drives.settle(settlementOf(call, { summary: 'They spoke.' }));
    const [delivery] = await claimAll(store);
    if (!delivery) throw new Error('one is claimed');
    const [facts] = await store.factsOf([delivery.messageId, webhookMessageIdSchema.parse(randomUUID())]);
    expect(facts).toMatchObject({
      messageId: delivery.messageId,
      type: 'call.ended',
      occurredAtMs: delivery.occurredAtMs,
      event: { type: 'ended', data: { ended_reason: 'agent_hangup' } },
      call: { id: call.id, status: 'ended', summary: 'They spoke.' },
    });
  });

  test('the first that is kept is sent for ever, also when two processes keep one at once', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId, { maxInFlight: 40 });
    await Promise.all(Array.from({ length: 20 }, () => world.queued(party)));
    const ids = (await claimAll(store)).map(({ messageId }) => messageId);
    const keep = (name: string, order: typeof ids) =>
      store.keepBodies(order.map((messageId) => ({ messageId, body: `{"by":"${name}"}` })));
    const [first, second] = await Promise.all([keep('a', ids), keep('b', ids.toReversed())]);
    expect(first.size).toBe(20);
    for (const id of ids) expect(second.get(id)).toBe(first.get(id));
  });

  test('a repeated attempt has the body', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const { messageId } = await claimOne(party);
    const body = JSON.stringify({ text: 'Zoë \u0000' });
    await store.keepBodies([{ messageId, body }]);
    await passTime(world.database, endpointId);
    expect(await claimAll(store)).toMatchObject([{ body }]);
  });
});

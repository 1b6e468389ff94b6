import { randomUUID } from 'node:crypto';
import { webhookEndpointIdSchema, webhookMessageIdSchema, type CallId } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOwnWebhooks, inputOf, sealing, type OwnWebhooks } from '../../test/own-webhooks.ts';
import { attemptOf, claimAll, passTime, RETRY_LATER } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
let hooks: OwnWebhooks;
beforeAll(async () => {
  world = await createWorld();
  hooks = createOwnWebhooks(world);
});
beforeEach(async () => {
  await world.database.side.$executeRaw`DELETE FROM webhook_deliveries`;
});
afterAll(() => world.close());

describe('the log', () => {
  test('has deliveries, newest first, in pages and by filter, and messages with their attempts', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    const calls: CallId[] = [];
    for (let call = 0; call < 5; call += 1) calls.unshift((await world.queued(party)).id);
    const [first] = await claimAll(hooks.store);
    if (!first) throw new Error('one is claimed');
    await hooks.store.finish(attemptOf(first, { kind: 'failed', laneDelayMs: 0 }));
    const query = { endpointId: endpoint.id, limit: 2 };
    const seen: (CallId | null)[] = [];
    let page = await endpoints.deliveries(query);
    for (;;) {
      seen.push(...page.deliveries.map(({ callId }) => callId));
      const last = page.deliveries.at(-1);
      if (!page.hasMore || !last) break;
      page = await endpoints.deliveries({ ...query, after: last });
    }
    expect(seen).toEqual(calls);
    const failed = await endpoints.deliveries({ ...query, state: 'failed' });
    expect(failed).toMatchObject({
      hasMore: false,
      deliveries: [{ callId: first.callId, state: 'failed', lastStatus: 500 }],
    });
    const [callId] = calls;
    expect(await endpoints.deliveries({ ...query, callId })).toMatchObject({ deliveries: [{ callId }] });
    expect(await endpoints.deliveries({ ...query, type: 'call.ended' })).toEqual({ deliveries: [], hasMore: false });
    expect(await endpoints.message(first.messageId)).toMatchObject({
      message: { id: first.messageId, type: 'call.queued', callId: first.callId, body: null },
      deliveries: [
        { state: 'failed', attemptLog: [{ number: 1, status: 500, error: 'status', responseBody: 'answer' }] },
      ],
    });
  });

  test('has no message that was never sent', async () => {
    const { endpoints } = await hooks.withEndpoint();
    expect(await endpoints.message(webhookMessageIdSchema.parse(randomUUID()))).toBeNull();
  });

  test('of a call lists what every endpoint got', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    await endpoints.create(inputOf());
    await endpoints.perCall.ensure(sealing);
    const { id } = await world.queued(party, { webhookUrl: 'https://call.example/' });
    const [first, ...others] = await endpoints.deliveriesOfCall(id);
    const urls = [first, ...others].map((delivery) => delivery?.url ?? '');
    expect(urls.toSorted()).toEqual(['https://call.example/', inputOf().url, inputOf().url]);
    expect(first).toMatchObject({ type: 'call.queued', state: 'pending' });
    await endpoints.remove(endpoint.id);
    const removed = (await endpoints.deliveriesOfCall(id)).find(({ endpointId }) => endpointId === endpoint.id);
    expect(removed).toMatchObject({ url: null, isStanding: false });
  });
});

describe('a resend', () => {
  test('sends what was delivered once more: at the front, with all tries, under the same id (hole 8)', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    const { delivery } = await hooks.sentTo(party);
    await world.queued(party);
    const target = { messageId: delivery.messageId, endpointId: endpoint.id };
    expect(await endpoints.resend(target)).toMatchObject({
      kind: 'due',
      delivery: { messageId: delivery.messageId, endpointId: endpoint.id, state: 'pending', attempts: 1 },
    });
    const [next] = await claimAll(hooks.store, { freeSlots: 1, freeSlotsForHealthyLanes: 0 });
    expect(next).toMatchObject({ messageId: delivery.messageId, attempt: 2, triesLeft: 9 });
  });

  test('does not wait for earlier events of the call, and none waits for it', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    const { callId, delivery } = await hooks.sentTo(party);
    await world.ends.requestEnd({ accountId: party.accountId, callId });
    await endpoints.resend({ messageId: delivery.messageId, endpointId: endpoint.id });
    expect((await claimAll(hooks.store)).map(({ type }) => type).toSorted()).toEqual(['call.ended', 'call.queued']);
  });

  test('of an attempt under way is not a second one at the same time', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    await world.queued(party);
    const [delivery] = await claimAll(hooks.store);
    if (!delivery) throw new Error('one is claimed');
    await endpoints.resend({ messageId: delivery.messageId, endpointId: endpoint.id });
    expect(await claimAll(hooks.store)).toEqual([]);
    await passTime(world.database, endpoint.id);
    expect(await claimAll(hooks.store)).toMatchObject([{ attempt: 2 }]);
  });

  test('during the last try is not lost with it', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    await world.queued(party);
    await world.database.side.$executeRaw`
      UPDATE webhook_deliveries SET attempts = 9, tries_left = 1 WHERE state = 'pending'`;
    const [last] = await claimAll(hooks.store);
    if (!last) throw new Error('one is claimed');
    expect(last).toMatchObject({ attempt: 10, triesLeft: 0 });
    await endpoints.resend({ messageId: last.messageId, endpointId: endpoint.id });
    await hooks.store.finish(attemptOf(last, RETRY_LATER));
    await passTime(world.database, endpoint.id);
    expect(await claimAll(hooks.store)).toMatchObject([{ attempt: 11, triesLeft: 9 }]);
  });

  test('of a message to an endpoint that never got it makes a delivery', async () => {
    const { party, endpoints } = await hooks.withEndpoint();
    const { delivery } = await hooks.sentTo(party);
    const { id } = await endpoints.create(inputOf());
    await endpoints.resend({ messageId: delivery.messageId, endpointId: id });
    expect(await claimAll(hooks.store)).toMatchObject([{ endpointId: id, messageId: delivery.messageId, attempt: 1 }]);
    await endpoints.update(id, { state: 'disabled' });
    expect(await endpoints.resend({ messageId: delivery.messageId, endpointId: id })).toEqual({ kind: 'disabled' });
  });
});

/** Retention counts from here. */
const createdAt = async (messageId: string) => {
  const [row] = await world.database.side.$queryRaw<{ at: number }[]>`
    SELECT epoch_ms(created_at) AS at FROM webhook_messages WHERE id = ${messageId}::uuid`;
  return row?.at;
};

describe('a resend that is refused', () => {
  test('after 100 attempts: the log, and the time that a message is kept, have an end', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    const { delivery } = await hooks.sentTo(party);
    const target = { messageId: delivery.messageId, endpointId: endpoint.id };
    const attempted = (attempts: number) => world.database.side.$executeRaw`
      UPDATE webhook_deliveries SET attempts = ${attempts}::int WHERE message_id = ${delivery.messageId}::uuid`;
    await attempted(100);
    const before = await createdAt(delivery.messageId);
    expect(await endpoints.resend(target)).toEqual({ kind: 'sent_too_often', max: 100 });
    expect(await claimAll(hooks.store)).toEqual([]);
    expect(await createdAt(delivery.messageId)).toBe(before);
    await attempted(99);
    expect(await endpoints.resend(target)).toMatchObject({ kind: 'due', delivery: { attempts: 99 } });
  });

  test('for its endpoint keeps no message longer', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    const { delivery } = await hooks.sentTo(party);
    await endpoints.update(endpoint.id, { state: 'disabled' });
    const before = await createdAt(delivery.messageId);
    const target = { messageId: delivery.messageId, endpointId: endpoint.id };
    expect(await endpoints.resend(target)).toEqual({ kind: 'disabled' });
    expect(await createdAt(delivery.messageId)).toBe(before);
  });

  test('names what is unknown', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    const { delivery } = await hooks.sentTo(party);
    const messageId = webhookMessageIdSchema.parse(randomUUID());
    const endpointId = webhookEndpointIdSchema.parse(randomUUID());
    expect(await endpoints.resend({ messageId, endpointId: endpoint.id })).toEqual({ kind: 'no_message' });
    expect(await endpoints.resend({ messageId: delivery.messageId, endpointId })).toEqual({ kind: 'no_endpoint' });
  });
});

test('a test message goes to its endpoint alone, whatever types that wants', async () => {
  const { endpoints, endpoint } = await hooks.withEndpoint({ events: ['call.ended'] });
  await endpoints.create(inputOf());
  const sent = await endpoints.sendTest(endpoint.id, { type: 'webhook.test', body: '{"test":true}' });
  expect(sent).toMatchObject({ kind: 'due' });
  expect(await claimAll(hooks.store)).toMatchObject([
    { endpointId: endpoint.id, type: 'webhook.test', body: '{"test":true}' },
  ]);
});

import { randomUUID } from 'node:crypto';
import { accountIdSchema, webhookEndpointIdSchema, webhookMessageIdSchema, type CallId } from '@outdial/contracts';
import { openSecret, type SecretKey } from '@outdial/secrets';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attemptOf, claimAll, deliveriesTo, passTime, RETRY_LATER } from '../../test/webhooks.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { AccountBoundReached } from '../administration/account-bounds.ts';
import { administerWebhooks } from './administer-webhooks.ts';
import type { NewWebhookEndpoint } from './own-endpoints.ts';
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

const secretKey: SecretKey = Buffer.alloc(32, 7);
const sealing = { secret: 'whsec_one', secretKey };
const ACTOR = 'user:ada';
const of = ({ accountId }: Pick<Party, 'accountId'>) =>
  createWebhookEndpoints(world.database, { accountId, actor: ACTOR });

const inputOf = (changes: Partial<NewWebhookEndpoint> = {}): NewWebhookEndpoint => ({
  ...sealing,
  url: 'https://receiver.example/hooks',
  events: [],
  description: '',
  ratePerSecond: null,
  maxOfAccount: 20,
  ...changes,
});

async function withEndpoint(changes: Partial<NewWebhookEndpoint> = {}) {
  const party = await world.party();
  const endpoints = of(party);
  return { party, endpoints, endpoint: await endpoints.create(inputOf(changes)) };
}

async function sentTo(party: Party) {
  const { id } = await world.queued(party);
  const [delivery] = await claimAll(store);
  if (!delivery) throw new Error('one is claimed');
  await store.finish(attemptOf(delivery));
  return { callId: id, delivery };
}

const auditOf = async (subjectId: string) => {
  const rows = await world.database.side.$queryRaw<{ action: string; actor: string; accountId: string }[]>`
    SELECT action, actor, data ->> 'account_id' AS "accountId" FROM audit_entries WHERE subject_id = ${subjectId} ORDER BY id`;
  return rows;
};

describe('endpoints', () => {
  test('are created, changed and listed, with an audit of each change', async () => {
    const { party, endpoints, endpoint } = await withEndpoint({ events: ['call.ended'] });
    expect(endpoint).toMatchObject({ url: 'https://receiver.example/hooks', events: ['call.ended'], state: 'enabled' });
    const changes = { url: 'https://b.example/', ratePerSecond: 5, events: [], description: 'Orders' };
    expect(await endpoints.update(endpoint.id, changes)).toMatchObject({ kind: 'updated', endpoint: changes });
    expect(await endpoints.update(endpoint.id, { ratePerSecond: null })).toMatchObject({
      endpoint: { ...changes, ratePerSecond: null },
    });
    expect((await endpoints.list()).map(({ id }) => id)).toEqual([endpoint.id]);
    const entry = { actor: ACTOR, accountId: party.accountId };
    expect(await auditOf(endpoint.id)).toEqual([
      { ...entry, action: 'webhook_endpoint.create' },
      { ...entry, action: 'webhook_endpoint.update' },
      { ...entry, action: 'webhook_endpoint.update' },
    ]);
  });

  test('have a maximum per account, also for requests at once', async () => {
    const endpoints = of(await world.party());
    const created = await Promise.allSettled(
      Array.from({ length: 4 }, () => endpoints.create(inputOf({ maxOfAccount: 2 }))),
    );
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(
      created.filter((each) => each.status === 'rejected' && each.reason instanceof AccountBoundReached),
    ).toHaveLength(2);
    expect(await endpoints.list()).toHaveLength(2);
  });

  test('keep their secret sealed for themselves, and both secrets while a rotation overlaps', async () => {
    const { party, endpoints, endpoint } = await withEndpoint();
    await world.queued(party);
    const rotated = await endpoints.rotateSecret(endpoint.id, { secret: 'whsec_two', secretKey, overlapHours: 24 });
    expect(rotated).toMatchObject({ kind: 'rotated', endpoint: { previousUntilMs: expect.any(Number) } });
    const again = { secret: 'whsec_three', secretKey, overlapHours: 0 };
    expect(await endpoints.rotateSecret(endpoint.id, again)).toEqual({ kind: 'in_progress' });
    const [delivery] = await claimAll(store);
    const sealedFor = { purpose: 'webhook secret', owner: endpoint.id } as const;
    expect(openSecret(secretKey, delivery?.sealedSecret ?? Buffer.of(), sealedFor)).toBe('whsec_two');
    expect(openSecret(secretKey, delivery?.previousSealedSecret ?? Buffer.of(), sealedFor)).toBe('whsec_one');
    expect(
      openSecret(secretKey, delivery?.sealedSecret ?? Buffer.of(), { ...sealedFor, owner: 'other' }),
    ).toBeUndefined();
  });

  test('that are deleted are gone at once, get nothing, and what was pending is dropped', async () => {
    const { party, endpoints, endpoint } = await withEndpoint();
    await world.queued(party);
    expect(await endpoints.remove(endpoint.id)).toBe(true);
    expect(await endpoints.remove(endpoint.id)).toBe(false);
    expect(await endpoints.find(endpoint.id)).toBeNull();
    await world.queued(party);
    expect(await claimAll(store)).toEqual([]);
    expect(await store.dropOrphans()).toBe(1);
    expect(await deliveriesTo(world.database, endpoint.id)).toMatchObject([{ state: 'dropped' }]);
  });

  test('a delete at the same time as calls fails none of them (hole 5)', async () => {
    const { party, endpoints } = await withEndpoint();
    const others = await Promise.all(Array.from({ length: 8 }, () => endpoints.create(inputOf())));
    const accepted = Promise.all(Array.from({ length: 60 }, () => world.queued(party)));
    await Promise.all(others.map(({ id }) => endpoints.remove(id)));
    expect(await accepted).toHaveLength(60);
  });
});

describe('an endpoint that is disabled', () => {
  test('begins clean when it is enabled: what was pending is dropped (hole 6)', async () => {
    const { party, endpoints, endpoint } = await withEndpoint();
    await world.queued(party);
    expect(await endpoints.update(endpoint.id, { state: 'disabled' })).toMatchObject({
      endpoint: { state: 'disabled', disabledReason: 'owner' },
    });
    expect(await claimAll(store)).toEqual([]);
    expect(await endpoints.update(endpoint.id, { state: 'enabled' })).toMatchObject({
      endpoint: { state: 'enabled', disabledReason: null, failures: 0 },
    });
    expect(await deliveriesTo(world.database, endpoint.id)).toMatchObject([{ state: 'dropped' }]);
    await world.queued(party);
    expect(await claimAll(store)).toHaveLength(1);
  });

  test('by an operator is not enabled by its owner', async () => {
    const { endpoints, endpoint } = await withEndpoint();
    const webhooks = administerWebhooks({ database: world.database, actor: 'operator' });
    expect(await webhooks.disable(endpoint.id)).toMatchObject({ state: 'disabled', disabledReason: 'operator' });
    expect(await endpoints.update(endpoint.id, { state: 'enabled' })).toEqual({ kind: 'disabled_by_operator' });
    expect(await webhooks.enable(endpoint.id)).toMatchObject({ state: 'enabled', disabledReason: null });
  });
});

describe('the log', () => {
  test('has deliveries, newest first, in pages and by filter, and messages with their attempts', async () => {
    const { party, endpoints, endpoint } = await withEndpoint();
    const calls: CallId[] = [];
    for (let call = 0; call < 5; call += 1) calls.unshift((await world.queued(party)).id);
    const [first] = await claimAll(store);
    if (!first) throw new Error('one is claimed');
    await store.finish(attemptOf(first, { kind: 'failed', laneDelayMs: 0 }));
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

  test('of a call lists what every endpoint got', async () => {
    const { party, endpoints } = await withEndpoint();
    await endpoints.create(inputOf());
    const { id } = await world.queued(party);
    expect(await endpoints.deliveriesOfCall(id)).toMatchObject([{ type: 'call.queued' }, { type: 'call.queued' }]);
  });
});

describe('a resend', () => {
  test('sends what was delivered once more: at the front, with all tries, under the same id (hole 8)', async () => {
    const { party, endpoints, endpoint } = await withEndpoint();
    const { delivery } = await sentTo(party);
    await world.queued(party);
    const target = { messageId: delivery.messageId, endpointId: endpoint.id };
    expect(await endpoints.resend(target)).toEqual({ kind: 'due', messageId: delivery.messageId });
    const [next] = await claimAll(store, { freeSlots: 1, freeSlotsForHealthyLanes: 0 });
    expect(next).toMatchObject({ messageId: delivery.messageId, attempt: 2, triesLeft: 9 });
  });

  test('does not wait for earlier events of the call, and none waits for it', async () => {
    const { party, endpoints, endpoint } = await withEndpoint();
    const { callId, delivery } = await sentTo(party);
    await world.ends.requestEnd({ accountId: party.accountId, callId });
    await endpoints.resend({ messageId: delivery.messageId, endpointId: endpoint.id });
    expect((await claimAll(store)).map(({ type }) => type).toSorted()).toEqual(['call.ended', 'call.queued']);
  });

  test('of an attempt under way is not a second one at the same time', async () => {
    const { party, endpoints, endpoint } = await withEndpoint();
    await world.queued(party);
    const [delivery] = await claimAll(store);
    if (!delivery) throw new Error('one is claimed');
    await endpoints.resend({ messageId: delivery.messageId, endpointId: endpoint.id });
    expect(await claimAll(store)).toEqual([]);
    await passTime(world.database, endpoint.id);
    expect(await claimAll(store)).toMatchObject([{ attempt: 2 }]);
  });

  test('of a message to an endpoint that never got it makes a delivery', async () => {
    const { party, endpoints } = await withEndpoint();
    const { delivery } = await sentTo(party);
    const { id } = await endpoints.create(inputOf());
    await endpoints.resend({ messageId: delivery.messageId, endpointId: id });
    expect(await claimAll(store)).toMatchObject([{ endpointId: id, messageId: delivery.messageId, attempt: 1 }]);
    await endpoints.update(id, { state: 'disabled' });
    expect(await endpoints.resend({ messageId: delivery.messageId, endpointId: id })).toEqual({ kind: 'disabled' });
  });
});

test('a test message goes to its endpoint alone, whatever types that wants', async () => {
  const { endpoints, endpoint } = await withEndpoint({ events: ['call.ended'] });
  await endpoints.create(inputOf());
  const sent = await endpoints.sendTest(endpoint.id, { type: 'webhook.test', body: '{"test":true}' });
  expect(sent).toMatchObject({ kind: 'due' });
  expect(await claimAll(store)).toMatchObject([
    { endpointId: endpoint.id, type: 'webhook.test', body: '{"test":true}' },
  ]);
});

describe('the endpoint of calls’ URLs', () => {
  test('is made once, also for first calls at once, and its secret is replaced at once', async () => {
    const { perCall } = of(await world.party());
    expect(await perCall.find()).toBeNull();
    const made = await Promise.all(Array.from({ length: 6 }, () => perCall.ensure(sealing)));
    expect(made.filter(Boolean)).toHaveLength(1);
    const before = await perCall.find();
    const after = await perCall.setSecret({ secret: 'whsec_two', secretKey });
    expect(after.id).toBe(before?.id);
    const [row] = await world.database.side.$queryRaw<{ sealed: Uint8Array }[]>`
      SELECT sealed_secret AS sealed FROM webhook_endpoints WHERE id = ${after.id}::uuid`;
    const owner = { purpose: 'webhook secret', owner: after.id } as const;
    expect(openSecret(secretKey, row?.sealed ?? Buffer.of(), owner)).toBe('whsec_two');
  });
});

describe('a neighbor', () => {
  test('finds nothing of another account', async () => {
    const { party, endpoint } = await withEndpoint();
    const { delivery, callId } = await sentTo(party);
    const { id: listenerId } = await of(party).listeners.create({ ...sealing, events: [], maxOfAccount: 5 });
    const replay = await of(party).createReplay({ endpointId: endpoint.id, sinceMs: 0, only: 'all' });
    const replayId = replay?.kind === 'running' ? replay.replay.id : randomUUID();
    const neighbor = of(await world.party());
    const target = { messageId: delivery.messageId, endpointId: endpoint.id };
    expect(await neighbor.list()).toEqual([]);
    expect(await neighbor.find(endpoint.id)).toBeNull();
    expect(await neighbor.update(endpoint.id, { state: 'disabled' })).toBeNull();
    expect(await neighbor.remove(endpoint.id)).toBe(false);
    expect(await neighbor.rotateSecret(endpoint.id, { ...sealing, overlapHours: 1 })).toBeNull();
    expect(await neighbor.sendTest(endpoint.id, { type: 'webhook.test', body: '{}' })).toBeNull();
    expect(await neighbor.deliveries({ endpointId: endpoint.id, limit: 5 })).toEqual({
      deliveries: [],
      hasMore: false,
    });
    expect(await neighbor.deliveriesOfCall(callId)).toEqual([]);
    expect(await neighbor.message(delivery.messageId)).toBeNull();
    expect(await neighbor.resend(target)).toBeNull();
    expect(await neighbor.createReplay({ endpointId: endpoint.id, sinceMs: 0, only: 'all' })).toBeNull();
    expect(await neighbor.findReplay(replayId)).toBeNull();
    expect(await neighbor.cancelReplay(replayId)).toBeNull();
    expect(await neighbor.has(endpoint.id)).toBe(false);
    expect(await neighbor.listeners.find(listenerId)).toBeNull();
    expect(await neighbor.listeners.end(listenerId)).toBe(false);
    const heard = { ...attemptOf(delivery), endpointId: listenerId };
    expect(await neighbor.listeners.storeResult(heard)).toBe('listener_not_found');
    expect(await of(party).listeners.find(listenerId)).toMatchObject({ id: listenerId });
    expect(await neighbor.perCall.find()).toBeNull();
    expect(await of(party).findReplay(replayId)).toMatchObject({ state: 'running' });
    await of(party).cancelReplay(replayId);
    expect(await of(party).find(endpoint.id)).toMatchObject({ state: 'enabled' });
    // Nor does it send its messages to an endpoint of another account.
    const own = await neighbor.create(inputOf());
    expect(await of(party).resend({ ...target, endpointId: own.id })).toBeNull();
  });
});

describe('an operator', () => {
  test('lists endpoints of all accounts or of one, and finds none that is unknown', async () => {
    const { party, endpoint } = await withEndpoint();
    const webhooks = administerWebhooks({ database: world.database, actor: 'operator' });
    expect(await webhooks.list(party.accountId)).toMatchObject([
      { id: endpoint.id, accountId: party.accountId, kind: 'standing' },
    ]);
    expect((await webhooks.list()).length).toBeGreaterThan(1);
    expect(await webhooks.list(accountIdSchema.parse(randomUUID()))).toEqual([]);
    await expect(webhooks.show(webhookEndpointIdSchema.parse(randomUUID()))).rejects.toMatchObject({
      code: 'webhook_endpoint_not_found',
    });
  });

  test('pauses all webhooks, and the audit has who did', async () => {
    const webhooks = administerWebhooks({ database: world.database, actor: 'operator' });
    const { party } = await withEndpoint();
    await world.queued(party);
    expect(await webhooks.setPaused(true)).toMatchObject({ paused: true, changedBy: 'operator' });
    expect(await claimAll(store)).toEqual([]);
    await webhooks.setPaused(true);
    expect(await webhooks.setPaused(false)).toMatchObject({ paused: false });
    expect(await claimAll(store)).toHaveLength(1);
    const actions = (await auditOf('system')).map(({ action }) => action);
    expect(actions).toEqual(['webhooks.pause', 'webhooks.resume']);
  });
});

test('a lane that fails is shown with its endpoint', async () => {
  const { party, endpoints, endpoint } = await withEndpoint();
  await world.queued(party);
  for (const delivery of await claimAll(store)) await store.finish(attemptOf(delivery, RETRY_LATER));
  expect(await endpoints.find(endpoint.id)).toMatchObject({ failures: 1, failingSinceMs: expect.any(Number) });
  const unknown = webhookMessageIdSchema.parse(randomUUID());
  expect(await endpoints.message(unknown)).toBeNull();
});

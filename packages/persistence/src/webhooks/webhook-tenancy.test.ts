import { randomUUID } from 'node:crypto';
import { accountIdSchema, webhookEndpointIdSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOwnWebhooks, inputOf, sealing, type OwnWebhooks } from '../../test/own-webhooks.ts';
import { attemptOf, claimAll } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { administerWebhooks } from './administer-webhooks.ts';

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

describe('a neighbor', () => {
  test('finds nothing of another account', async () => {
    const { party, endpoint } = await hooks.withEndpoint();
    const { delivery, callId } = await hooks.sentTo(party);
    const { id: listenerId } = await hooks.of(party).listeners.create({ ...sealing, events: [], maxOfAccount: 5 });
    const replay = await hooks.of(party).createReplay({ endpointId: endpoint.id, sinceMs: 0, only: 'all' });
    const replayId = replay?.kind === 'running' ? replay.replay.id : randomUUID();
    const neighbor = hooks.of(await world.party());
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
    expect(await neighbor.resend(target)).toEqual({ kind: 'no_message' });
    expect(await neighbor.createReplay({ endpointId: endpoint.id, sinceMs: 0, only: 'all' })).toBeNull();
    expect(await neighbor.findReplay(replayId)).toBeNull();
    expect(await neighbor.cancelReplay(replayId)).toBeNull();
    expect(await neighbor.has(endpoint.id)).toBe(false);
    expect(await neighbor.listeners.find(listenerId)).toBeNull();
    expect(await neighbor.listeners.end(listenerId)).toBe(false);
    const heard = { ...attemptOf(delivery), endpointId: listenerId };
    expect(await neighbor.listeners.storeResult(heard)).toBe('listener_not_found');
    expect(await hooks.of(party).listeners.find(listenerId)).toMatchObject({ id: listenerId });
    expect(await neighbor.perCall.find()).toBeNull();
    expect(await hooks.of(party).findReplay(replayId)).toMatchObject({ state: 'running' });
    await hooks.of(party).cancelReplay(replayId);
    expect(await hooks.of(party).find(endpoint.id)).toMatchObject({ state: 'enabled' });
    // Nor does it send its messages to an endpoint of another account.
    const own = await neighbor.create(inputOf());
    expect(await hooks.of(party).resend({ ...target, endpointId: own.id })).toEqual({ kind: 'no_endpoint' });
  });
});

describe('an operator', () => {
  test('lists endpoints of all accounts or of one, and finds none that is unknown', async () => {
    const { party, endpoint } = await hooks.withEndpoint();
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
    const { party } = await hooks.withEndpoint();
    await world.queued(party);
    expect(await webhooks.setPaused(true)).toMatchObject({ paused: true, changedBy: 'operator' });
    expect(await claimAll(hooks.store)).toEqual([]);
    await webhooks.setPaused(true);
    expect(await webhooks.setPaused(false)).toMatchObject({ paused: false });
    expect(await claimAll(hooks.store)).toHaveLength(1);
    const actions = (await hooks.auditOf('system')).map(({ action }) => action);
    expect(actions).toEqual(['webhooks.pause', 'webhooks.resume']);
  });
});

import { openSecret } from '@outdial/secrets';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ACTOR, createOwnWebhooks, inputOf, secretKey, type OwnWebhooks } from '../../test/own-webhooks.ts';
import { attemptOf, claimAll, deliveriesTo, RETRY_LATER } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { AccountBoundReached } from '../administration/account-bounds.ts';
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

describe('endpoints', () => {
  test('are created, changed and listed, with an audit of each change', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint({ events: ['call.ended'] });
    expect(endpoint).toMatchObject({ url: 'https://receiver.example/hooks', events: ['call.ended'], state: 'enabled' });
    const changes = { url: 'https://b.example/', ratePerSecond: 5, events: [], description: 'Orders' };
    expect(await endpoints.update(endpoint.id, changes)).toMatchObject({ kind: 'updated', endpoint: changes });
    expect(await endpoints.update(endpoint.id, { ratePerSecond: null })).toMatchObject({
      endpoint: { ...changes, ratePerSecond: null },
    });
    expect((await endpoints.list()).map(({ id }) => id)).toEqual([endpoint.id]);
    const entry = { actor: ACTOR, accountId: party.accountId };
    expect(await hooks.auditOf(endpoint.id)).toEqual([
      { ...entry, action: 'webhook_endpoint.create' },
      { ...entry, action: 'webhook_endpoint.update' },
      { ...entry, action: 'webhook_endpoint.update' },
    ]);
  });

  test('have a maximum per account, also for requests at once', async () => {
    const endpoints = hooks.of(await world.party());
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
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    await world.queued(party);
    const rotated = await endpoints.rotateSecret(endpoint.id, { secret: 'whsec_two', secretKey, overlapHours: 24 });
    expect(rotated).toMatchObject({ kind: 'rotated', endpoint: { previousUntilMs: expect.any(Number) } });
    const again = { secret: 'whsec_three', secretKey, overlapHours: 1 };
    expect(await endpoints.rotateSecret(endpoint.id, again)).toEqual({ kind: 'in_progress' });
    const [delivery] = await claimAll(hooks.store);
    const sealedFor = { purpose: 'webhook secret', owner: endpoint.id } as const;
    expect(openSecret(secretKey, delivery?.sealedSecret ?? Buffer.of(), sealedFor)).toBe('whsec_two');
    expect(openSecret(secretKey, delivery?.previousSealedSecret ?? Buffer.of(), sealedFor)).toBe('whsec_one');
    expect(
      openSecret(secretKey, delivery?.sealedSecret ?? Buffer.of(), { ...sealedFor, owner: 'other' }),
    ).toBeUndefined();
  });

  test('end both secrets at once when one that overlaps has leaked', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    await endpoints.rotateSecret(endpoint.id, { secret: 'whsec_two', secretKey, overlapHours: 24 });
    const third = { secret: 'whsec_three', secretKey, overlapHours: 0 };
    expect(await endpoints.rotateSecret(endpoint.id, third)).toMatchObject({
      kind: 'rotated',
      endpoint: { previousUntilMs: null },
    });
    await world.queued(party);
    expect(await claimAll(hooks.store)).toMatchObject([{ previousSealedSecret: null }]);
  });

  test('that are deleted are gone at once, get nothing, and what was pending is dropped', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    await world.queued(party);
    expect(await endpoints.remove(endpoint.id)).toBe(true);
    expect(await endpoints.remove(endpoint.id)).toBe(false);
    expect(await endpoints.find(endpoint.id)).toBeNull();
    await world.queued(party);
    expect(await claimAll(hooks.store)).toEqual([]);
    expect(await hooks.store.dropOrphans()).toBe(1);
    expect(await deliveriesTo(world.database, endpoint.id)).toMatchObject([{ state: 'dropped' }]);
  });

  test('a delete at the same time as calls fails none of them (hole 5)', async () => {
    const { party, endpoints } = await hooks.withEndpoint();
    const others = await Promise.all(Array.from({ length: 8 }, () => endpoints.create(inputOf())));
    const accepted = Promise.all(Array.from({ length: 60 }, () => world.queued(party)));
    await Promise.all(others.map(({ id }) => endpoints.remove(id)));
    expect(await accepted).toHaveLength(60);
  });
});

describe('an endpoint that is disabled', () => {
  test('begins clean when it is enabled: what was pending is dropped (hole 6)', async () => {
    const { party, endpoints, endpoint } = await hooks.withEndpoint();
    await world.queued(party);
    expect(await endpoints.update(endpoint.id, { state: 'disabled' })).toMatchObject({
      endpoint: { state: 'disabled', disabledReason: 'owner' },
    });
    expect(await claimAll(hooks.store)).toEqual([]);
    expect(await endpoints.update(endpoint.id, { state: 'enabled' })).toMatchObject({
      endpoint: { state: 'enabled', disabledReason: null, failures: 0 },
    });
    expect(await deliveriesTo(world.database, endpoint.id)).toMatchObject([{ state: 'dropped' }]);
    await world.queued(party);
    expect(await claimAll(hooks.store)).toHaveLength(1);
  });

  test('is enabled by an operator only once nothing is pending', async () => {
    const { party, endpoint } = await hooks.withEndpoint();
    const webhooks = administerWebhooks({ database: world.database, actor: 'operator' });
    await world.queued(party);
    await webhooks.disable(endpoint.id);
    const early = await world.database.side.$transaction(async (transaction) => {
      // The drop skips what is locked.
      await transaction.$executeRaw`
        SELECT FROM webhook_deliveries WHERE endpoint_id = ${endpoint.id}::uuid FOR UPDATE`;
      return webhooks.enable(endpoint.id);
    });
    expect(early).toMatchObject({ state: 'disabled' });
    expect(await webhooks.enable(endpoint.id)).toMatchObject({ state: 'enabled' });
    expect(await deliveriesTo(world.database, endpoint.id)).toMatchObject([{ state: 'dropped' }]);
  });

  test('by an operator is not enabled by its owner', async () => {
    const { endpoints, endpoint } = await hooks.withEndpoint();
    const webhooks = administerWebhooks({ database: world.database, actor: 'operator' });
    expect(await webhooks.disable(endpoint.id)).toMatchObject({ state: 'disabled', disabledReason: 'operator' });
    expect(await endpoints.update(endpoint.id, { state: 'enabled' })).toEqual({ kind: 'disabled_by_operator' });
    expect(await webhooks.enable(endpoint.id)).toMatchObject({ state: 'enabled', disabledReason: null });
  });
});

test('a lane that fails is shown with its endpoint', async () => {
  const { party, endpoints, endpoint } = await hooks.withEndpoint();
  await world.queued(party);
  for (const delivery of await claimAll(hooks.store)) await hooks.store.finish(attemptOf(delivery, RETRY_LATER));
  expect(await endpoints.find(endpoint.id)).toMatchObject({ failures: 1, failingSinceMs: expect.any(Number) });
});

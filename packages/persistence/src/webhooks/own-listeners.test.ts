import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOwnWebhooks, sealing, type OwnWebhooks } from '../../test/own-webhooks.ts';
import { attemptOf, passTime } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { AccountBoundReached } from '../administration/account-bounds.ts';

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

describe('a listener', () => {
  const wanted = { ...sealing, events: ['call.queued'], maxOfAccount: 2 } as const;

  test('hears events in order, logs what came back, and gets again what had no result', async () => {
    const party = await world.party();
    const { listeners, ...endpoints } = hooks.of(party);
    const { id } = await listeners.create(wanted);
    await Promise.all([world.queued(party), world.queued(party)]);
    const heard = await listeners.next({ listenerId: id, limit: 10 });
    expect(heard).toMatchObject([{ attempt: 1, type: 'call.queued' }, { attempt: 1 }]);
    const [first, second] = heard ?? [];
    if (!first || !second) throw new Error('two are heard');
    expect(await listeners.next({ listenerId: id, limit: 10 })).toEqual([]);
    const claimed = { ...first, kind: 'standing', url: '', previousSealedSecret: null, laneIsHealthy: true } as const;
    expect(await listeners.storeResult(attemptOf(claimed))).toBe(true);
    expect(await endpoints.message(first.messageId)).toMatchObject({
      deliveries: [{ state: 'delivered', attemptLog: [{ status: 200 }] }],
    });
    await passTime(world.database, id);
    expect(await listeners.next({ listenerId: id, limit: 10 })).toMatchObject([
      { messageId: second.messageId, attempt: 2 },
    ]);
  });

  test('is gone when no client has read it for a while, and an account has few', async () => {
    const party = await world.party();
    const { listeners } = hooks.of(party);
    const [{ id }] = [await listeners.create(wanted), await listeners.create(wanted)];
    await expect(listeners.create(wanted)).rejects.toThrow(AccountBoundReached);
    await world.database.side
      .$executeRaw`UPDATE webhook_endpoints SET expires_at = clock_timestamp() WHERE id = ${id}::uuid`;
    expect(await listeners.next({ listenerId: id, limit: 10 })).toBeNull();
    await listeners.create(wanted);
  });
});

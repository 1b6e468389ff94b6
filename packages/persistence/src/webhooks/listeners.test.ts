import type { CallId, WebhookEndpointId } from '@outdial/contracts';
import type { HeardDelivery, ListenerStore } from '@outdial/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attemptOf, deliveriesTo, passTime } from '../../test/webhooks.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import { AccountBoundReached } from '../administration/account-bounds.ts';
import { administerWebhooks } from './administer-webhooks.ts';
import { createListenerStore } from './listener-store.ts';
import { createWebhookEndpoints } from './webhook-endpoints.ts';
import { createWebhookStore } from './webhook-store.ts';

let world: World;
let store: ListenerStore;
beforeAll(async () => {
  world = await createWorld();
  store = createListenerStore(world.database);
});
beforeEach(async () => {
  await world.database.side.$executeRaw`DELETE FROM webhook_deliveries`;
});
afterAll(() => world.close());

const wanted = { secret: 'whsec_one', secretKey: Buffer.alloc(32, 7), events: [], maxOfAccount: 5 } as const;
const of = ({ accountId }: Party) => createWebhookEndpoints(world.database, { accountId, actor: 'user:ada' });

async function listening(party: Party) {
  const { id } = await of(party).listeners.create(wanted);
  return { listenerId: id, accountId: party.accountId, room: 10 };
}
type Listening = Awaited<ReturnType<typeof listening>>;
const hear = async (...asked: readonly Listening[]) => (await store.hear(asked)).deliveries;
const resultOf = (heard: HeardDelivery, status = 200) => ({
  ...attemptOf({ ...heard, laneId: heard.endpointId }, status === 200 ? { kind: 'delivered' } : FAILED),
  status,
});
const FAILED = { kind: 'failed', laneDelayMs: 0 } as const;
const first = <Item>([item]: readonly Item[]): Item => {
  if (item === undefined) throw new Error('there is one');
  return item;
};

/** One call with `queued`, `dialing` and `ringing`. */
async function ringing(party: Party): Promise<CallId> {
  const { id, startedAtMs } = await world.claimed(party);
  await world.drives.advance({ callId: id, epoch: 1, to: 'ringing', atMs: startedAtMs, sipCode: 180 });
  return id;
}
const expiresInMs = async (id: WebhookEndpointId): Promise<number> => {
  const rows = await world.database.side.$queryRaw<{ ms: number }[]>`
    SELECT epoch_ms(expires_at) - epoch_ms(clock_timestamp()) AS ms FROM webhook_endpoints WHERE id = ${id}::uuid`;
  return first(rows).ms;
};
const expireIn = (id: WebhookEndpointId, seconds: number) => world.database.side.$executeRaw`
  UPDATE webhook_endpoints SET expires_at = clock_timestamp() + make_interval(secs => ${seconds}::int) WHERE id = ${id}::uuid`;

describe('a listener', () => {
  test('hears the events of a call in their order, each once the one before it has a result', async () => {
    const party = await world.party();
    const own = await listening(party);
    const callId = await ringing(party);
    const types: string[] = [];
    for (let heard = await hear(own); heard.length > 0; heard = await hear(own)) {
      expect(heard).toHaveLength(1);
      expect(await hear(own)).toEqual([]);
      // Delayed, they could be locked while the outcome, which skips locked rows, moves the others along.
      const waiting = (await deliveriesTo(world.database, own.listenerId)).filter(({ attempts }) => attempts === 0);
      expect(waiting.filter(({ dueInMs }) => dueInMs > 0)).toEqual([]);
      types.push(first(heard).type);
      // A receiver that rejects one event does not stop the others.
      await of(party).listeners.storeResult(resultOf(first(heard), types.length === 1 ? 500 : 200));
    }
    expect(types).toEqual(['call.queued', 'call.dialing', 'call.ringing']);
    expect(await of(party).deliveriesOfCall(callId)).toMatchObject([
      { state: 'failed', attempts: 1, lastStatus: 500 },
      { state: 'delivered', attempts: 1 },
      { state: 'delivered', attempts: 1 },
    ]);
  });

  test('has its results stored by the one group of commits of the process', async () => {
    const party = await world.party();
    const own = await listening(party);
    await world.queued(party);
    const heard = first(await hear(own));
    const finished: number[] = [];
    const finish: ListenerStore['finish'] = async (attempt) => {
      finished.push(attempt.attempt);
      await store.finish(attempt);
    };
    const input = { accountId: party.accountId, actor: 'user:ada', finish };
    expect(await createWebhookEndpoints(world.database, input).listeners.storeResult(resultOf(heard))).toBe('stored');
    expect(finished).toEqual([1]);
  });

  test('hears what had no result again, and its log has the attempt that had one', async () => {
    const party = await world.party();
    const own = await listening(party);
    await world.queued(party);
    const lost = first(await hear(own));
    await passTime(world.database, own.listenerId);
    const again = first(await hear(own));
    expect(again).toMatchObject({ messageId: lost.messageId, attempt: 2 });
    const { listeners, ...endpoints } = of(party);
    expect(await listeners.storeResult(resultOf(again))).toBe('stored');
    // The result of the first one arrives after all, and twice: it changes no outcome.
    for (const _ of [1, 2]) expect(await listeners.storeResult(resultOf(lost, 500))).toBe('stored');
    expect(await endpoints.message(lost.messageId)).toMatchObject({
      deliveries: [{ endpointId: own.listenerId, state: 'delivered', attemptLog: [{ number: 1 }, { status: 200 }] }],
    });
    expect(await endpoints.has(own.listenerId)).toBe(true);
  });

  test('has a result only for what was handed out to it', async () => {
    const party = await world.party();
    const own = await listening(party);
    const other = await listening(party);
    await world.queued(party);
    const heard = first(await hear(own));
    const { listeners } = of(party);
    for (const wrong of [{ attempt: 2 }, { endpointId: other.listenerId }]) {
      expect(await listeners.storeResult({ ...resultOf(heard), ...wrong })).toBe('message_not_found');
    }
    await expireIn(own.listenerId, 0);
    expect(await listeners.storeResult(resultOf(heard))).toBe('listener_not_found');
  });

  test('has at most ten messages without results, however many streams ask', async () => {
    const party = await world.party();
    const own = await listening(party);
    await Promise.all(Array.from({ length: 14 }, () => world.queued(party)));
    expect(await hear({ ...own, room: 7 })).toHaveLength(7);
    const heard = await hear({ ...own, room: 20 });
    expect(heard).toHaveLength(3);
    expect(await hear(own)).toEqual([]);
    await of(party).listeners.storeResult(resultOf(first(heard)));
    expect(await hear(own)).toHaveLength(1);
  });

  test('hands a delivery to one process, however many ask at once', async () => {
    const party = await world.party();
    const own = await listening(party);
    await Promise.all(Array.from({ length: 6 }, () => world.queued(party)));
    const heard = (await Promise.all(Array.from({ length: 5 }, () => hear(own)))).flat();
    expect(new Set(heard.map(({ messageId }) => messageId)).size).toBe(heard.length);
    expect(heard).toHaveLength(6);
  });

  test('hears nothing while an operator has paused webhooks, and stays alive', async () => {
    const party = await world.party();
    const own = await listening(party);
    await world.queued(party);
    const admin = administerWebhooks({ database: world.database, actor: 'operator' });
    await admin.setPaused(true);
    const paused = await store.hear([own]);
    await admin.setPaused(false);
    expect([paused.deliveries, paused.alive.has(own.listenerId)]).toEqual([[], true]);
    expect(await hear(own)).toHaveLength(1);
  });

  test('gets a message again on request', async () => {
    const party = await world.party();
    const own = await listening(party);
    await world.queued(party);
    const heard = first(await hear(own));
    const { listeners, ...endpoints } = of(party);
    await listeners.storeResult(resultOf(heard, 500));
    const target = { messageId: heard.messageId, endpointId: own.listenerId };
    expect(await endpoints.resend(target)).toMatchObject({ kind: 'due' });
    expect(await hear(own)).toMatchObject([{ messageId: heard.messageId, attempt: 2 }]);
    await expireIn(own.listenerId, 0);
    expect(await endpoints.resend(target)).toEqual({ kind: 'no_endpoint' });
  });
});

describe('the life of a listener', () => {
  test('goes on while a stream holds it, also one without room, and costs a write each half minute', async () => {
    const party = await world.party();
    const own = await listening(party);
    await world.queued(party);
    await expireIn(own.listenerId, 100);
    await hear({ ...own, room: 0 });
    expect(await expiresInMs(own.listenerId)).toBeLessThan(100_001);
    await expireIn(own.listenerId, 80);
    expect(await hear({ ...own, room: 0 })).toEqual([]);
    expect(await expiresInMs(own.listenerId)).toBeGreaterThan(100_000);
  });

  test('ends two minutes later, or at once on request; then it hears nothing, and its deliveries are dropped', async () => {
    const party = await world.party();
    const [expired, ended] = [await listening(party), await listening(party)];
    expect(await expiresInMs(expired.listenerId)).toBeGreaterThan(100_000);
    await world.queued(party);
    await expireIn(expired.listenerId, 0);
    const { listeners } = of(party);
    expect(await listeners.end(ended.listenerId)).toBe(true);
    expect(await listeners.end(ended.listenerId)).toBe(false);
    expect(await store.hear([expired, ended])).toEqual({ deliveries: [], alive: new Set() });
    await world.queued(party);
    expect(await createWebhookStore(world.database, { workerId: 'worker-1' }).dropOrphans()).toBe(2);
    for (const { listenerId } of [expired, ended]) {
      expect(await deliveriesTo(world.database, listenerId)).toMatchObject([{ state: 'dropped' }]);
    }
  });

  test('counts against the bound of its account until it ends', async () => {
    const party = await world.party();
    const { listeners } = of(party);
    const bounded = { ...wanted, maxOfAccount: 2 };
    const [{ id }] = [await listeners.create(bounded), await listeners.create(bounded)];
    await expect(listeners.create(bounded)).rejects.toThrow(AccountBoundReached);
    await listeners.end(id);
    await listeners.create(bounded);
  });

  test('ends among what is enabled too: events are announced to all of that, and an account may make listeners without end', async () => {
    const party = await world.party();
    const { listeners } = of(party);
    const enabled = async () => {
      const rows = await world.database.side.$queryRaw<{ id: string }[]>`
        SELECT id FROM webhook_endpoints WHERE account_id = ${party.accountId}::uuid AND state = 'enabled'`;
      return rows.map(({ id }) => id);
    };
    const [ended, expired, swept] = [
      await listeners.create(wanted),
      await listeners.create(wanted),
      await listeners.create(wanted),
    ];
    await listeners.end(ended.id);
    expect(await enabled()).not.toContain(ended.id);
    await expireIn(expired.id, 0);
    const { id } = await listeners.create(wanted);
    expect(await enabled()).not.toContain(expired.id);
    await expireIn(swept.id, 0);
    await createWebhookStore(world.database, { workerId: 'worker-1' }).dropOrphans();
    expect(await enabled()).toEqual([id]);
  });
});

describe('neighbors', () => {
  test('cannot hear what belongs to another account', async () => {
    const [party, other] = [await world.party(), await world.party()];
    const own = await listening(party);
    await world.queued(party);
    const stolen = { ...own, accountId: other.accountId };
    expect(await store.hear([stolen])).toEqual({ deliveries: [], alive: new Set() });
    expect(await hear(own)).toHaveLength(1);
  });

  test('take turns: an account with many listeners and much to hear leaves the others their share', async () => {
    const [crowd, quiet] = [await world.party(), await world.party()];
    const many = await Promise.all(Array.from({ length: 5 }, () => listening(crowd)));
    const own = await listening(quiet);
    await Promise.all(Array.from({ length: 12 }, () => world.queued(crowd)));
    await world.queued(quiet);
    const bounded = createListenerStore(world.database, { mostHeard: 4 });
    const { deliveries } = await bounded.hear([...many, own]);
    expect(deliveries).toHaveLength(4);
    expect(deliveries.filter(({ endpointId }) => endpointId === own.listenerId)).toHaveLength(1);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attemptOf, claimAll, deliveriesTo, plantEndpoint, RETRY_LATER } from '../../test/webhooks.ts';
import { createWorld, type World } from '../../test/world.ts';
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

const statesOf = async (...of: Parameters<typeof deliveriesTo>) =>
  (await deliveriesTo(...of)).map(({ state }) => state);

describe('what is pending for endpoints that are closed', () => {
  test.each(['standing', 'per_call'] as const)('%s: is dropped, and nothing else is', async (kind) => {
    const party = await world.party();
    const closed = await plantEndpoint(world.database, party.accountId, { kind });
    const other = await plantEndpoint(world.database, party.accountId);
    await world.queued(party, { webhookUrl: 'https://a.example/' });
    await world.database.side.$executeRaw`
      UPDATE webhook_endpoints SET state = 'disabled', disabled_at = now(), disabled_reason = 'operator'
      WHERE id = ${closed}::uuid`;
    expect(await store.dropOrphans()).toBe(1);
    expect(await statesOf(world.database, closed)).toEqual(['dropped']);
    expect(await statesOf(world.database, other)).toEqual(['pending']);
    expect(await store.dropOrphans()).toBe(0);
  });

  test('is dropped also when its event commits after the disable (hole 6)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const { id } = await world.queued(party);
    const { side } = world.database;
    await side.$transaction(async (transaction) => {
      await transaction.$executeRaw`INSERT INTO call_events (call_id, at, type) VALUES (${id}::uuid, now(), 'ringing')`;
      await side.$executeRaw`
        UPDATE webhook_endpoints SET state = 'disabled', disabled_at = now(), disabled_reason = 'owner'
        WHERE id = ${endpointId}::uuid`;
      expect(await store.dropOrphans()).toBe(1);
    });
    expect(await statesOf(world.database, endpointId)).toEqual(['dropped', 'pending']);
    expect(await store.dropOrphans()).toBe(1);
    expect(await store.backlog()).toMatchObject({ pending: 0 });
  });

  test('of a listener that has expired is dropped', async () => {
    const party = await world.party();
    const listener = await plantEndpoint(world.database, party.accountId, { kind: 'listener' });
    await world.queued(party);
    expect(await store.dropOrphans()).toBe(0);
    await world.database.side.$executeRaw`
      UPDATE webhook_endpoints SET expires_at = clock_timestamp() WHERE id = ${listener}::uuid`;
    expect(await store.dropOrphans()).toBe(1);
  });

  test('a success that comes after the drop still counts', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    await world.queued(party);
    const [delivery] = await claimAll(store);
    if (!delivery) throw new Error('one is claimed');
    await world.database.side.$executeRaw`
      UPDATE webhook_endpoints SET state = 'disabled', disabled_at = now(), disabled_reason = 'owner'
      WHERE id = ${endpointId}::uuid`;
    await store.dropOrphans();
    await store.finish(attemptOf(delivery));
    expect(await statesOf(world.database, endpointId)).toEqual(['delivered']);
  });
});

async function failing(days: number, failures: number) {
  const party = await world.party();
  const endpointId = await plantEndpoint(world.database, party.accountId);
  await world.queued(party);
  for (const delivery of await claimAll(store)) await store.finish(attemptOf(delivery, RETRY_LATER));
  await world.database.side.$executeRaw`
    UPDATE webhook_lanes SET failures = ${failures}::int, failing_since = clock_timestamp() - make_interval(days => ${days}::int)
    WHERE lane = ${endpointId}::uuid`;
  const noticesOf = async () => {
    const rows = await world.database.side.$queryRaw<{ kind: string }[]>`
      SELECT kind FROM account_notices WHERE account_id = ${party.accountId}::uuid ORDER BY created_at`;
    return rows.map(({ kind }) => kind);
  };
  const stateOf = async () => {
    const [row] = await world.database.side.$queryRaw<{ state: string; reason: string | null }[]>`
      SELECT state, disabled_reason AS reason FROM webhook_endpoints WHERE id = ${endpointId}::uuid`;
    return row;
  };
  return { party, endpointId, noticesOf, stateOf };
}

async function enableAndDisable(id: string): Promise<void> {
  const { side } = world.database;
  await side.$executeRaw`UPDATE webhook_endpoints SET state = 'enabled', disabled_at = NULL, disabled_reason = NULL
    WHERE id = ${id}::uuid`;
  await side.$queryRaw`SELECT disable_webhook_endpoint(${id}::uuid, 'gone')`;
}

describe('an endpoint that fails', () => {
  test('and is enabled again and again is a notice once a day, and all endpoints are twenty', async () => {
    const { party, endpointId, noticesOf } = await failing(6, 20);
    await enableAndDisable(endpointId);
    await enableAndDisable(endpointId);
    expect(await noticesOf()).toEqual(['webhook_endpoint_disabled']);
    for (let other = 0; other < 25; other += 1) {
      await enableAndDisable(await plantEndpoint(world.database, party.accountId));
    }
    expect(await noticesOf()).toHaveLength(20);
  });

  test('for five days, 20 times, is disabled, and the account gets a notice', async () => {
    const { party, stateOf, noticesOf } = await failing(6, 20);
    const other = await plantEndpoint(world.database, party.accountId);
    await Promise.all([store.disableFailing(), store.disableFailing(), store.disableFailing()]);
    expect(await stateOf()).toEqual({ state: 'disabled', reason: 'failing' });
    expect(await noticesOf()).toEqual(['webhook_endpoint_disabled']);
    expect(await deliveriesTo(world.database, other)).toMatchObject([{ type: 'webhook.endpoint_disabled' }]);
  });

  test.each([
    [6, 19],
    [4, 500],
  ])('for %i days, %i times, stays enabled, and the owners get one notice', async (days, failures) => {
    const { stateOf, noticesOf } = await failing(days, failures);
    for (let round = 0; round < 3; round += 1) await store.disableFailing();
    expect(await stateOf()).toEqual({ state: 'enabled', reason: null });
    expect(await noticesOf()).toEqual(['webhook_endpoint_failing']);
  });

  test('for hours writes no notice', async () => {
    const { noticesOf } = await failing(0, 100);
    await store.disableFailing();
    expect(await noticesOf()).toEqual([]);
  });
});

test('endpoints of a stranger that fail hide no other one, however many they are', async () => {
  const [stranger, { stateOf, noticesOf }] = [await world.party(), await failing(6, 20)];
  await world.database.side.$executeRaw`
    WITH lanes AS (SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(1, 1001) AS n),
    endpoints AS (
      INSERT INTO webhook_endpoints (id, account_id, kind, url, api_version, sealed_secret, created_by)
      SELECT id, ${stranger.accountId}::uuid, 'standing', 'https://stranger.example/', '2026-12-01', '', 'test' FROM lanes
    )
    INSERT INTO webhook_lanes (lane, endpoint_id, failures, failing_since)
    SELECT id, id, 19, clock_timestamp() - interval '7 days' FROM lanes`;
  const { noticesOf: noticesOfLate } = await failing(2, 3);
  expect(await store.disableFailing()).toBe(1);
  expect(await stateOf()).toEqual({ state: 'disabled', reason: 'failing' });
  expect(await noticesOf()).toEqual(['webhook_endpoint_disabled']);
  // A thousand notices at a time: the rest follow in the next round.
  await store.disableFailing();
  expect(await noticesOfLate()).toEqual(['webhook_endpoint_failing']);
});

const age = (days: number) => world.database.side.$executeRaw`
  UPDATE webhook_messages SET created_at = clock_timestamp() - make_interval(days => ${days}::int)`;
const messages = async () => {
  const [row] = await world.database.side.$queryRaw<{ messages: number; attempts: number }[]>`
    SELECT (SELECT count(*)::int FROM webhook_messages) AS messages, (SELECT count(*)::int FROM webhook_attempts) AS attempts`;
  return row;
};

/** Statements that wait for a lock. */
const waitingFor = async (name: string) => {
  const [row] = await world.database.side.$queryRaw<{ waiting: number }[]>`
    SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${`%${name}%`}`;
  return row?.waiting;
};

describe('retention', () => {
  beforeEach(async () => {
    await world.database.side.$executeRaw`DELETE FROM webhook_messages`;
    await world.database.side.$executeRaw`DELETE FROM webhook_attempts`;
  });

  test('deletes what is older, with its deliveries and attempts, and keeps what is younger', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    await world.queued(party);
    for (const delivery of await claimAll(store)) await store.finish(attemptOf(delivery));
    await age(15);
    await world.queued(party);
    expect(await store.deleteExpired(14)).toBe(1);
    expect(await messages()).toEqual({ messages: 1, attempts: 0 });
    expect(await statesOf(world.database, endpointId)).toEqual(['pending']);
  });

  test('drops before it deletes, and never touches an attempt under way (hole 6)', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, { maxInFlight: 1 });
    await Promise.all([world.queued(party), world.queued(party)]);
    const [underWay] = await claimAll(store);
    if (!underWay) throw new Error('one is claimed');
    await age(15);
    expect(await store.deleteExpired(14)).toBe(1);
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([
      { messageId: underWay.messageId, state: 'pending' },
    ]);
    await store.finish(attemptOf(underWay));
    expect(await store.deleteExpired(14)).toBe(1);
    expect(await messages()).toEqual({ messages: 0, attempts: 0 });
  });

  test('deletes 250 at a time, within the time of a statement', async () => {
    const party = await world.party();
    await world.database.side.$executeRaw`DELETE FROM webhook_messages`;
    await world.database.side.$executeRaw`
      INSERT INTO webhook_messages (account_id, type, occurred_at, body)
      SELECT ${party.accountId}::uuid, 'call.ended', now(), '{}' FROM generate_series(1, 300)`;
    await age(15);
    expect([await store.deleteExpired(14), await store.deleteExpired(14)]).toEqual([250, 50]);
  });

  test('locks deliveries in the order in which outcomes do, so that neither waits for the other (hole 7)', async () => {
    const party = await world.party();
    await plantEndpoint(world.database, party.accountId);
    await Promise.all([world.queued(party), world.queued(party)]);
    const { side } = world.database;
    const keys = await side.$queryRaw<{ id: string }[]>`
      SELECT message_id AS id FROM webhook_deliveries ORDER BY message_id`;
    const [first, second] = keys.map(({ id }) => id);
    // A late success may come for the first; the second is dropped before it is deleted.
    await side.$executeRaw`UPDATE webhook_deliveries SET state = 'failed' WHERE message_id = ${first}::uuid`;
    await age(15);
    const lock = (transaction: Pick<typeof side, '$executeRaw'>, id: string | undefined) =>
      transaction.$executeRaw`SELECT FROM webhook_deliveries WHERE message_id = ${id}::uuid FOR UPDATE`;
    const { deleting } = await side.$transaction(async (transaction) => {
      await lock(transaction, first);
      const deleted = store.deleteExpired(14);
      await expect.poll(() => waitingFor('delete_expired_webhooks')).toBe(1);
      await lock(transaction, second);
      return { deleting: deleted };
    });
    expect(await deleting).toBe(2);
  });
});

test('the backlog counts what is pending, and takes no receiver’s fault for lateness', async () => {
  const [party, failing] = [await world.party(), await world.party()];
  await plantEndpoint(world.database, party.accountId);
  const late = await plantEndpoint(world.database, failing.accountId);
  await Promise.all([world.queued(party), world.queued(failing)]);
  await world.database.side.$executeRaw`UPDATE webhook_deliveries SET due_at = due_at - interval '1 hour'`;
  expect((await store.backlog()).oldestDueSeconds).toBeGreaterThanOrEqual(3_600);
  await world.database.side.$executeRaw`
    UPDATE webhook_deliveries SET due_at = clock_timestamp() + interval '1 minute' WHERE account_id = ${party.accountId}::uuid`;
  await world.database.side.$executeRaw`
    INSERT INTO webhook_lanes (lane, endpoint_id, failures) VALUES (${late}::uuid, ${late}::uuid, 1)`;
  expect(await store.backlog()).toMatchObject({ pending: 2, oldestDueSeconds: 0 });
});

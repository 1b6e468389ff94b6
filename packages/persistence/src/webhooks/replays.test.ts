import type { CallId, WebhookType } from '@outdial/contracts';
import type { SecretKey } from '@outdial/secrets';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attemptOf, claimAll, deliveriesTo, plantEndpoint, ringing } from '../../test/webhooks.ts';
import { createWorld, type Party, type World } from '../../test/world.ts';
import type { NewReplay } from './own-replays.ts';
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
  await world.database.side.$executeRaw`UPDATE webhook_replays SET state = 'cancelled'`;
});
afterAll(() => world.close());

const secretKey: SecretKey = Buffer.alloc(32, 7);
const of = ({ accountId }: Party) => createWebhookEndpoints(world.database, { accountId, actor: 'user:ada' });

const newEndpoint = (party: Party, events: readonly WebhookType[] = []) =>
  of(party).create({
    secret: 'whsec_one',
    secretKey,
    url: 'https://receiver.example/hooks',
    events,
    description: '',
    ratePerSecond: null,
    maxOfAccount: 20,
  });

/** Begins a replay that is a minute old: every id that it looks at is committed. */
async function replay(party: Party, input: NewReplay) {
  const outcome = await of(party).createReplay(input);
  if (outcome?.kind !== 'running') throw new Error('the replay is not running');
  const { id } = outcome.replay;
  await world.database.side.$executeRaw`
    UPDATE webhook_replays SET created_at = created_at - interval '2 minutes' WHERE id = ${id}::uuid`;
  return id;
}

async function advanceToEnd(): Promise<number> {
  let steps = 0;
  while (await store.advanceReplays()) steps += 1;
  return steps;
}

async function queue(party: Party, count: number): Promise<readonly CallId[]> {
  const calls = await Promise.all(Array.from({ length: count }, () => world.queued(party)));
  return calls.map(({ id }) => id);
}

const HOUR_MS = 3_600_000;
const since = () => ({ sinceMs: Date.now() - HOUR_MS });

test('an endpoint that was made later gets what it missed, and a neighbor’s events stay with the neighbor', async () => {
  const [party, neighbor] = [await world.party(), await world.party()];
  const calls = await queue(party, 3);
  await queue(neighbor, 3);
  const { id: endpointId } = await newEndpoint(party);
  const replayId = await replay(party, { endpointId, ...since(), only: 'missing' });
  await advanceToEnd();
  expect(await of(party).findReplay(replayId)).toMatchObject({ state: 'done', replayed: 3 });
  const deliveries = await deliveriesTo(world.database, endpointId);
  expect(new Set(deliveries.map(({ callId }) => callId))).toEqual(new Set(calls));
  expect(await claimAll(store)).toHaveLength(3);
});

test('an event keeps its message, and so its id, in every replay (hole 9)', async () => {
  const party = await world.party();
  await queue(party, 40);
  const endpoints = await Promise.all(Array.from({ length: 4 }, () => newEndpoint(party)));
  for (const { id: endpointId } of endpoints) await replay(party, { endpointId, ...since(), only: 'missing' });
  await Promise.all(Array.from({ length: 4 }, () => advanceToEnd()));
  await advanceToEnd();
  const ids = await Promise.all(
    endpoints.map(async ({ id }) => (await deliveriesTo(world.database, id)).map(({ messageId }) => messageId)),
  );
  expect(ids[0]).toHaveLength(40);
  for (const each of ids) expect(each).toEqual(ids[0]);
});

/** An event that was missed, one that was delivered and one that failed. */
async function mixed() {
  const party = await world.party();
  await plantEndpoint(world.database, party.accountId);
  const missing = await queue(party, 1);
  const { id: endpointId } = await newEndpoint(party);
  await queue(party, 2);
  const claimed = (await claimAll(store)).filter((each) => each.endpointId === endpointId);
  const [delivered, failed] = claimed;
  if (!delivered || !failed) throw new Error('two are claimed');
  await store.finish(attemptOf(delivered));
  await store.finish(attemptOf(failed, { kind: 'failed', laneDelayMs: 0 }));
  await world.database.side
    .$executeRaw`UPDATE webhook_deliveries SET attempts = 10, tries_left = 0 WHERE state = 'failed'`;
  return { party, endpointId, missing: missing[0], delivered: delivered.callId, failed: failed.callId };
}

describe('which deliveries are replayed', () => {
  test.each([
    ['failed', ['failed']],
    ['missing', ['missing']],
    ['failed_and_missing', ['failed', 'missing']],
    ['all', ['delivered', 'failed', 'missing']],
  ] as const)('%s', async (only, names) => {
    const { party, endpointId, ...calls } = await mixed();
    await replay(party, { endpointId, ...since(), only });
    await advanceToEnd();
    const pending = (await deliveriesTo(world.database, endpointId)).filter(({ state }) => state === 'pending');
    expect(new Set(pending.map(({ callId }) => callId))).toEqual(new Set(names.map((name) => calls[name])));
  });

  test('one that had failed has all its tries again, and its attempts go on rising (hole 8)', async () => {
    const { party, endpointId, failed } = await mixed();
    await replay(party, { endpointId, ...since(), only: 'failed' });
    await advanceToEnd();
    const [again] = (await claimAll(store)).filter((each) => each.endpointId === endpointId);
    expect(again).toMatchObject({ callId: failed, attempt: 11, triesLeft: 9 });
  });

  test('one that has had 100 attempts is left out, so that no delivery is repeated for ever', async () => {
    const { party, endpointId, missing } = await mixed();
    await world.database.side.$executeRaw`UPDATE webhook_deliveries SET attempts = 100 WHERE state <> 'pending'`;
    await replay(party, { endpointId, ...since(), only: 'all' });
    await advanceToEnd();
    const pending = (await deliveriesTo(world.database, endpointId)).filter(({ state }) => state === 'pending');
    expect(pending.map(({ callId }) => callId)).toEqual([missing]);
  });

  test('only types that the endpoint receives, whether the replay names types or not', async () => {
    const party = await world.party();
    const [callId] = await queue(party, 1);
    if (!callId) throw new Error('there is a call');
    await world.ends.requestEnd({ accountId: party.accountId, callId });
    const { id: endpointId } = await newEndpoint(party, ['call.ended']);
    const wider = { endpointId, ...since(), only: 'missing', events: ['call.ended', 'call.queued'] } as const;
    expect(await of(party).createReplay(wider)).toEqual({ kind: 'not_wanted', wanted: ['call.ended'] });
    await replay(party, { endpointId, ...since(), only: 'missing' });
    await advanceToEnd();
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ type: 'call.ended' }]);
  });

  test('only types and times that it names', async () => {
    const party = await world.party();
    const [callId] = await queue(party, 1);
    if (!callId) throw new Error('there is a call');
    await world.ends.requestEnd({ accountId: party.accountId, callId });
    const { id: endpointId } = await newEndpoint(party);
    await replay(party, { endpointId, ...since(), only: 'missing', events: ['call.ended'] });
    await advanceToEnd();
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ type: 'call.ended' }]);
    await replay(party, {
      endpointId,
      sinceMs: Date.now() - HOUR_MS,
      untilMs: Date.now() - HOUR_MS / 2,
      only: 'missing',
    });
    await advanceToEnd();
    expect(await deliveriesTo(world.database, endpointId)).toHaveLength(1);
  });
});

test('a replay keeps the order of a call, also of what was sent again without regard to it', async () => {
  const party = await world.party();
  const { id: endpointId } = await newEndpoint(party);
  await ringing(world, party);
  await world.database.side.$executeRaw`
    UPDATE webhook_deliveries SET state = 'failed', attempts = 10, tries_left = 0, in_order = false`;
  await replay(party, { endpointId, ...since(), only: 'failed' });
  await advanceToEnd();
  expect(await claimAll(store)).toMatchObject([{ type: 'call.queued', attempt: 11 }]);
});

test('a replay renews the retention only of messages that it sends', async () => {
  const { party, endpointId, delivered, failed } = await mixed();
  const { side } = world.database;
  await side.$executeRaw`UPDATE webhook_messages SET created_at = created_at - interval '5 days'`;
  await replay(party, { endpointId, ...since(), only: 'failed' });
  await advanceToEnd();
  const rows = await side.$queryRaw<{ callId: string; isRenewed: boolean }[]>`
    SELECT call_id AS "callId", created_at > now() - interval '1 day' AS "isRenewed" FROM webhook_messages
    WHERE account_id = ${party.accountId}::uuid`;
  const renewed = new Map(rows.map(({ callId, isRenewed }) => [callId, isRenewed]));
  expect([renewed.get(delivered ?? ''), renewed.get(failed ?? '')]).toEqual([false, true]);
});

describe('the steps of a replay (hole 10)', () => {
  test('a step looks at 20,000 ids, however few of them are the account’s', async () => {
    const party = await world.party();
    const { id: endpointId } = await newEndpoint(party);
    const replayId = await replay(party, { endpointId, ...since(), only: 'missing' });
    await world.database.side
      .$executeRaw`UPDATE webhook_replays SET position = 0, end_id = 50000 WHERE id = ${replayId}::uuid`;
    expect(await advanceToEnd()).toBe(3);
  });

  test('a step makes 500 deliveries, and the next one waits while the lane has a thousand pending', async () => {
    const party = await world.party();
    const [callId] = await queue(party, 1);
    await world.database.side.$executeRaw`
      INSERT INTO call_events (call_id, at, type) SELECT ${callId}::uuid, now(), 'ringing' FROM generate_series(1, 1200)`;
    const { id: endpointId } = await newEndpoint(party);
    await replay(party, { endpointId, ...since(), only: 'missing' });
    const counts: number[] = [];
    while (await store.advanceReplays()) counts.push((await deliveriesTo(world.database, endpointId)).length);
    expect(counts).toEqual([500, 1_000]);
    await world.database.side.$executeRaw`UPDATE webhook_deliveries SET state = 'delivered'`;
    await advanceToEnd();
    expect(await deliveriesTo(world.database, endpointId)).toHaveLength(1_201);
  });

  test('a replay that has just begun does not look at ids of the last minute, which may commit out of order', async () => {
    const party = await world.party();
    await queue(party, 2);
    const { id: endpointId } = await newEndpoint(party);
    const outcome = await of(party).createReplay({ endpointId, ...since(), only: 'missing' });
    if (outcome?.kind !== 'running') throw new Error('the replay is not running');
    await advanceToEnd();
    expect(await of(party).findReplay(outcome.replay.id)).toMatchObject({ state: 'running', replayed: 0 });
    await world.database.side.$executeRaw`UPDATE webhook_replays SET created_at = created_at - interval '2 minutes'`;
    await advanceToEnd();
    expect(await of(party).findReplay(outcome.replay.id)).toMatchObject({ state: 'done', replayed: 2 });
  });

  test('it begins shortly before its time, without reading all that is older', async () => {
    const { side } = world.database;
    const party = await world.party();
    const [callId] = await queue(party, 1);
    const bounds = async () => {
      const [row] = await side.$queryRaw<{ first: bigint; last: bigint }[]>`
        SELECT min(id) AS first, max(id) AS last FROM call_events WHERE call_id = ${callId}::uuid AND type = 'hold_enlarged'`;
      return row;
    };
    await side.$executeRaw`UPDATE call_events SET at = now() - interval '20 days'`;
    await side.$executeRaw`
      INSERT INTO call_events (call_id, at, type)
      SELECT ${callId}::uuid, now() - interval '19 days', 'hold_enlarged' FROM generate_series(1, 3000)`;
    const old = await bounds();
    await side.$executeRaw`INSERT INTO call_events (call_id, at, type) SELECT ${callId}::uuid, now(), 'ringing' FROM generate_series(1, 3000)`;
    const [row] = await side.$queryRaw<{ id: bigint }[]>`SELECT call_event_before(now() - interval '1 day') AS id`;
    expect(row?.id).toBe(old?.last);
    const [none] = await side.$queryRaw<{ id: bigint }[]>`SELECT call_event_before(now() - interval '1 year') AS id`;
    expect(Number(none?.id)).toBeLessThan(Number(old?.first));
  });
});

test('an endpoint has one replay at a time, and it ends when it is cancelled or its endpoint is disabled', async () => {
  const party = await world.party();
  await queue(party, 1);
  const endpoints = of(party);
  const { id: endpointId } = await newEndpoint(party);
  const input = { endpointId, ...since(), only: 'missing' } as const;
  const first = await replay(party, input);
  expect(await endpoints.createReplay(input)).toEqual({ kind: 'in_progress' });
  expect(await endpoints.cancelReplay(first)).toMatchObject({ state: 'cancelled' });
  const second = await replay(party, input);
  await endpoints.update(endpointId, { state: 'disabled' });
  await advanceToEnd();
  expect(await endpoints.findReplay(second)).toMatchObject({ state: 'cancelled', replayed: 0 });
  expect(await endpoints.createReplay(input)).toEqual({ kind: 'disabled' });
});

import { CONDUCTED } from '@outdial/calls/testing';
import { CALL_EVENT_TYPES, micros, WEBHOOK_TYPE_OF_EVENT } from '@outdial/contracts';
import { TRIES } from '@outdial/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveriesTo, plantEndpoint } from '../../test/webhooks.ts';
import { createWorld, settlementOf, type World } from '../../test/world.ts';
import { createAnalysisStore } from '../analyses/analysis-store.ts';
import { createDriveStore } from '../drive/drive-store.ts';
import { createRecordedCalls } from '../recordings/recorded-calls.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('webhook_type maps every event as the table of the contracts does, and no other', async () => {
  const { side } = world.database;
  const types = [...CALL_EVENT_TYPES, 'of_a_later_version'];
  const rows = await side.$queryRaw<{ event: string; webhook: string | null }[]>`
    SELECT event, webhook_type(event) AS webhook FROM unnest(${types}::text[]) AS u(event)`;
  expect(Object.fromEntries(rows.map(({ event, webhook }) => [event, webhook]))).toEqual({
    ...WEBHOOK_TYPE_OF_EVENT,
    of_a_later_version: null,
  });
});

test('webhook_tries gives each kind the tries that the schedule of the sender has', async () => {
  const { side } = world.database;
  const rows = await side.$queryRaw<{ kind: string; tries: number }[]>`
    SELECT kind, webhook_tries(kind) AS tries FROM unnest(${Object.keys(TRIES)}::text[]) AS u(kind)`;
  expect(Object.fromEntries(rows.map(({ kind, tries }) => [kind, tries]))).toEqual(TRIES);
});

test('the ids of messages begin with their time, so that those of one time are neighbors in an index', async () => {
  const { side } = world.database;
  const party = await world.party();
  const endpointId = await plantEndpoint(world.database, party.accountId);
  await world.claimed(party);
  const rows = await side.$queryRaw<{ id: string; createdAt: Date }[]>`
    SELECT m.id, m.created_at AS "createdAt" FROM webhook_messages m JOIN webhook_deliveries d ON d.message_id = m.id
    WHERE d.endpoint_id = ${endpointId}::uuid`;
  expect(rows.length).toBeGreaterThan(0);
  for (const { id, createdAt } of rows) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    expect(Math.abs(ms - createdAt.getTime())).toBeLessThan(1_000);
  }
});

describe('each writer of events announces them in its own statement', () => {
  test('a call that is answered, recorded and settled', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const { id, startedAtMs } = await world.claimed(party);
    const fence = { callId: id, epoch: 1 };
    await world.drives.advance({ ...fence, to: 'ringing', atMs: startedAtMs, sipCode: 180 });
    await world.drives.advance({ ...fence, to: 'in_progress', atMs: startedAtMs });
    await world.drives.saveAnsweredBy({ ...fence, answeredBy: 'human', atMs: startedAtMs });
    const call = { ...(await world.reader.find(party.accountId, id)) };
    expect(call).toMatchObject({ status: 'in_progress' });
    expect((await deliveriesTo(world.database, endpointId)).map(({ type }) => type)).toEqual([
      'call.queued',
      'call.dialing',
      'call.ringing',
      'call.answered',
      'call.answered_by',
    ]);
  });

  test('a recording that is in its place when the call ends is announced after `ended`', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const call = await world.claimed(party);
    await world.drives.settle(settlementOf(call, { recordingKey: 'ab/1.wav' }));
    const types = (await deliveriesTo(world.database, endpointId)).map(({ type }) => type);
    expect(types.slice(-3)).toEqual(['call.answered', 'call.ended', 'call.recording_ready']);
  });

  test('a recording that is uploaded later is announced once, when it is stored', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const call = await world.claimed(party);
    const drives = createDriveStore(world.database, { uploadsRecordings: true });
    await drives.settle(settlementOf(call, { recordingKey: 'ab/1.wav' }));
    const types = async () => (await deliveriesTo(world.database, endpointId)).map(({ type }) => type);
    expect(await types()).not.toContain('call.recording_ready');
    const recordedCalls = createRecordedCalls(world.database);
    for (const key of ['ab/1.wav', 'ab/1.wav']) await recordedCalls.markStored({ callId: call.id, key });
    expect((await types()).slice(-2)).toEqual(['call.ended', 'call.recording_ready']);
    expect((await types()).filter((type) => type === 'call.recording_ready')).toHaveLength(1);
  });

  test('a request that ends a queued call', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, { events: ['call.ended'] });
    const { id } = await world.queued(party);
    await world.ends.requestEnd({ accountId: party.accountId, callId: id });
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ type: 'call.ended', callId: id }]);
  });

  test('the end of calls that the reconcile loop gives up', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, { events: ['call.ended'] });
    const { id } = await world.queued(party);
    await world.drives.endQueued({ callIds: [id], reason: 'queue_expired' });
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([{ type: 'call.ended', callId: id }]);
  });

  test('an analysis', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, {
      events: ['call.ended', 'call.analyzed'],
    });
    const call = await world.claimed(party, { conducted: CONDUCTED });
    await world.drives.settle(settlementOf(call, { wantsAnalysis: true }));
    const analyses = createAnalysisStore(world.database);
    const claimed = await analyses.claim({ callId: call.id, leaseMs: 60_000 });
    if (claimed.kind !== 'claimed') throw new Error(`the analysis was not claimed: ${claimed.kind}`);
    const end = { status: 'failed', analysis: null, problem: 'answer_unusable' } as const;
    await analyses.finish({ callId: call.id, lease: claimed.job.lease, end, payment: null });
    const types = (await deliveriesTo(world.database, endpointId)).map(({ type }) => type);
    expect(types).toEqual(['call.ended', 'call.analyzed']);
  });

  test('a take-over, whose own event is not sent', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const call = await world.claimed(party, {}, 0);
    const [orphan] = await world.drives.takeOver({ workerId: 'other', leaseMs: 60_000, limit: 1, callId: call.id });
    expect(orphan).toBeDefined();
    const token = await world.reconciles.currentToken();
    await world.drives.enlargeHold({ callId: call.id, epoch: 2, holdMicros: micros(40_000), token });
    const types = (await deliveriesTo(world.database, endpointId)).map(({ type }) => type);
    expect(types).toEqual(['call.queued', 'call.dialing']);
  });
});

describe('what a failure of webhooks must not do (holes 5, 9, 11)', () => {
  test('messages and deliveries have no foreign key', async () => {
    const keys = await world.database.side.$queryRaw`
      SELECT conname FROM pg_constraint WHERE contype = 'f'
        AND conrelid IN ('webhook_messages'::regclass, 'webhook_deliveries'::regclass)`;
    expect(keys).toEqual([]);
  });

  test('an event whose id has a message already, as after a failover, is written all the same', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId);
    const { side } = world.database;
    await side.$executeRaw`
      INSERT INTO webhook_messages (account_id, event_id, type, occurred_at)
      SELECT ${party.accountId}::uuid, s.last_value + n, 'call.queued', now()
      FROM call_events_id_seq s, generate_series(1, 3) AS n`;
    const { id } = await world.queued(party);
    expect(await world.reader.events(party.accountId, id)).toMatchObject([{ type: 'queued' }]);
    expect(await deliveriesTo(world.database, endpointId)).toEqual([]);
  });

  test('any text that a call may have as its URL has a lane', async () => {
    const urls = ['', 'x', '////', 'https://', 'https://ZOË.example', `https://${'a'.repeat(2_000)}`, '\\', "'"];
    const rows = await world.database.side.$queryRaw<{ lane: string | null }[]>`
      SELECT webhook_lane(gen_random_uuid(), 'per_call', url)::text AS lane FROM unnest(${urls}::text[]) AS u(url)`;
    expect(rows.filter(({ lane }) => lane === null)).toEqual([]);
  });

  test('no function of webhooks calls md5, which hosts with FIPS refuse', async () => {
    const rows = await world.database.side.$queryRaw`
      SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ILIKE '%md5(%'
        AND (proname LIKE '%webhook%' OR proname LIKE 'announce%')`;
    expect(rows).toEqual([]);
  });
});

test('an event has one message, whatever the number of endpoints, and one delivery for each that wants it', async () => {
  const party = await world.party();
  const all = await plantEndpoint(world.database, party.accountId);
  const some = await plantEndpoint(world.database, party.accountId, { events: ['call.queued'] });
  const others = await plantEndpoint(world.database, party.accountId, { events: ['call.ended'] });
  const disabled = await plantEndpoint(world.database, party.accountId, { state: 'disabled' });
  await world.queued(party);
  const [[first], [second]] = [await deliveriesTo(world.database, all), await deliveriesTo(world.database, some)];
  expect(first?.messageId).toBe(second?.messageId);
  expect(await deliveriesTo(world.database, others)).toEqual([]);
  expect(await deliveriesTo(world.database, disabled)).toEqual([]);
});

test('an account without endpoints gets no rows, nor do the calls of a neighbor', async () => {
  const [quiet, loud] = [await world.party(), await world.party()];
  await plantEndpoint(world.database, loud.accountId);
  await Promise.all([world.queued(quiet), world.queued(loud)]);
  const { side } = world.database;
  const rows = await side.$queryRaw`
    SELECT id FROM webhook_messages WHERE account_id = ${quiet.accountId}::uuid
    UNION ALL SELECT message_id FROM webhook_deliveries WHERE account_id = ${quiet.accountId}::uuid`;
  expect(rows).toEqual([]);
});

describe('the URL of a call', () => {
  test('gets the events of that call alone', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, { kind: 'per_call' });
    await world.queued(party);
    const { id } = await world.queued(party, { webhookUrl: 'https://customer.example/calls' });
    expect(await deliveriesTo(world.database, endpointId)).toMatchObject([
      { callId: id, type: 'call.queued', triesLeft: 5 },
    ]);
  });

  test('has a lane by its origin, out of 64 of its account', async () => {
    const party = await world.party();
    const endpointId = await plantEndpoint(world.database, party.accountId, { kind: 'per_call' });
    const urls = Array.from({ length: 200 }, (_, index) => `https://tenant-${index}.example/a/${index}`);
    const same = ['https://tenant-7.example/other', 'https://TENANT-7.example/', 'https://tenant-7.example?1'];
    const calls = await Promise.all([...urls, ...same].map((webhookUrl) => world.queued(party, { webhookUrl })));
    const lanes = new Map((await deliveriesTo(world.database, endpointId)).map((each) => [each.callId, each.laneId]));
    const laneOf = (index: number) => lanes.get(calls[index]?.id ?? null);
    expect(laneOf(200)).toBe(laneOf(7));
    expect(laneOf(201)).toBe(laneOf(7));
    expect(laneOf(202)).toBe(laneOf(7));
    expect(new Set(lanes.values()).size).toBeLessThanOrEqual(64);
    const known = await world.database.side.$queryRaw<{ lane: string }[]>`
      SELECT webhook_lanes_of(${endpointId}::uuid, 'per_call')::text AS lane`;
    expect(known).toHaveLength(64);
    expect([...lanes.values()].filter((lane) => !known.some((each) => each.lane === lane))).toEqual([]);
  });
});

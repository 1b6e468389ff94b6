import { CALL_EVENT_TYPES, micros, WEBHOOK_TYPE_OF_EVENT } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveriesTo, plantEndpoint } from '../../test/webhooks.ts';
import { createWorld, settlementOf, type World } from '../../test/world.ts';
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
    const same = ['https://tenant-7.example/other', 'https://TENANT-7.example/'];
    const calls = await Promise.all([...urls, ...same].map((webhookUrl) => world.queued(party, { webhookUrl })));
    const lanes = new Map((await deliveriesTo(world.database, endpointId)).map((each) => [each.callId, each.laneId]));
    const laneOf = (index: number) => lanes.get(calls[index]?.id ?? null);
    expect(laneOf(200)).toBe(laneOf(7));
    expect(laneOf(201)).toBe(laneOf(7));
    expect(new Set(lanes.values()).size).toBeLessThanOrEqual(64);
    const known = await world.database.side.$queryRaw<{ lane: string }[]>`
      SELECT webhook_lanes_of(${endpointId}::uuid, 'per_call')::text AS lane`;
    expect(known).toHaveLength(64);
    expect([...lanes.values()].filter((lane) => !known.some((each) => each.lane === lane))).toEqual([]);
  });
});

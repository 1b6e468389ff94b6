import { advance, type ClaimedCall, type DriveStore, type FencingToken } from '@outdial/calls';
import { micros, type CallStatus } from '@outdial/contracts';
import { array, assert, asyncProperty, boolean, constantFrom } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, settlementOf, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const fenceOf = (call: ClaimedCall): FencingToken => ({ callId: call.id, epoch: call.epoch });

/** Every fenced write, each with its minimal input. */
const WRITES: Record<string, (drives: DriveStore, fence: FencingToken) => Promise<{ readonly kind: string }>> = {
  'advance to ringing': (drives, fence) => drives.advance({ ...fence, to: 'ringing', atMs: 0, sipCode: 180 }),
  'advance to in_progress': (drives, fence) => drives.advance({ ...fence, to: 'in_progress', atMs: 0 }),
  saveDialog: (drives, fence) => drives.saveDialog({ ...fence, carrier: 'simulated', dialog: {} }),
  saveAnsweredBy: (drives, fence) => drives.saveAnsweredBy({ ...fence, answeredBy: 'human', atMs: 0 }),
  saveEvent: (drives, fence) => drives.saveEvent({ ...fence, type: 'tool_called', data: {}, atMs: 0 }),
  renewLease: (drives, fence) => drives.renewLease({ ...fence, leaseMs: 60_000 }),
  handOver: (drives, fence) => drives.handOver(fence),
  enlargeHold: async (drives, fence) =>
    drives.enlargeHold({ ...fence, holdMicros: micros(50_000), token: await world.reconciles.currentToken() }),
  settle: (drives, fence) =>
    drives.settle({ ...settlementOf({ ...anyCall, id: fence.callId, epoch: fence.epoch }), reason: 'busy' }),
};
let anyCall: ClaimedCall;
beforeAll(async () => {
  anyCall = await world.claimed(await world.party());
});

describe.each(Object.entries(WRITES))('%s is fenced', (_, write) => {
  test('by a later epoch', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    await world.drives.handOver(fenceOf(call));
    await world.drives.takeOver({ workerId: 'other', leaseMs: 60_000, limit: 1, callId: call.id });
    const before = await rowOf(call);
    expect(await write(world.drives, fenceOf(call))).toEqual({ kind: 'fenced' });
    expect(await rowOf(call)).toEqual(before);
  });

  test('by an epoch that was never assigned', async () => {
    const call = await world.claimed(await world.party());
    const before = await rowOf(call);
    expect(await write(world.drives, { callId: call.id, epoch: call.epoch + 1 })).toEqual({ kind: 'fenced' });
    expect(await rowOf(call)).toEqual(before);
  });

  test('while the call is unclaimed', async () => {
    const call = await world.queued(await world.party());
    const before = await rowOf(call);
    expect(await write(world.drives, { callId: call.id, epoch: 0 })).toEqual({ kind: 'fenced' });
    expect(await rowOf(call)).toEqual(before);
  });
});

describe.each(Object.entries(WRITES).filter(([name]) => name !== 'settle'))('%s is fenced', (_, write) => {
  test('once the call has ended', async () => {
    const call = await world.claimed(await world.party());
    await world.drives.settle(settlementOf(call));
    const before = await rowOf(call);
    expect(await write(world.drives, fenceOf(call))).toEqual({ kind: 'fenced' });
    expect(await rowOf(call)).toEqual(before);
  });
});

async function rowOf({ id }: { readonly id: string }): Promise<unknown> {
  const [row] = await world.database.side.$queryRaw<unknown[]>`
    SELECT to_jsonb(c) AS call, (SELECT count(*)::int FROM call_events e WHERE e.call_id = c.id) AS events
    FROM calls c WHERE c.id = ${id}::uuid`;
  return row;
}

test('every fenced write returns a request to end the call', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  expect(await world.drives.renewLease({ ...fenceOf(call), leaseMs: 60_000 })).toMatchObject({ endRequested: false });
  await world.ends.requestEnd({ accountId: party.accountId, callId: call.id });
  expect(await world.drives.renewLease({ ...fenceOf(call), leaseMs: 60_000 })).toMatchObject({ endRequested: true });
});

test('an event of the conversation stands in the timeline with its time and its details, as often as it happens', async () => {
  const call = await world.claimed(await world.party());
  const atMs = call.startedAtMs + 1_500;
  const tool = {
    type: 'tool_called',
    data: { name: 'free_slots', result: null, arguments: { day: 'Tuesday' } },
  } as const;
  const failure = { type: 'provider_failed', data: { component: 'realtime', failure: 'dropped' } } as const;
  for (const note of [tool, tool, failure]) {
    const outcome = await world.drives.saveEvent({ ...fenceOf(call), ...note, atMs });
    expect(outcome).toEqual({ kind: 'written', endRequested: false });
  }
  const rows = await world.database.side.$queryRaw<unknown[]>`
    SELECT type, data, round(extract(epoch FROM at) * 1000)::float8 AS "atMs" FROM call_events
    WHERE call_id = ${call.id}::uuid AND type NOT IN ('queued', 'dialing') ORDER BY id`;
  expect(rows).toEqual([tool, tool, failure].map((note) => ({ ...note, atMs })));
});

describe('advance', () => {
  test('follows the transition table for every sequence of events', async () => {
    const party = await world.party();
    const trigger = { ringing: 'provisional_response', in_progress: 'answered' } as const;
    const steps = array(constantFrom('ringing' as const, 'in_progress' as const), { maxLength: 5 });
    await assert(
      asyncProperty(steps, boolean(), async (path, together) => {
        const call = await world.claimed(party);
        const send = (to: (typeof path)[number]) =>
          world.drives.advance(
            to === 'ringing'
              ? { ...fenceOf(call), to, atMs: call.startedAtMs, sipCode: 183 }
              : { ...fenceOf(call), to, atMs: call.startedAtMs },
          );
        const outcomes = [];
        if (together) outcomes.push(...(await Promise.all(path.map(send))));
        else for (const to of path) outcomes.push(await send(to));
        expect(outcomes).toEqual(path.map(() => ({ kind: 'written', endRequested: false })));

        let status: CallStatus = 'dialing';
        const timeline = ['queued', 'dialing'];
        for (const to of path) {
          const next = advance(status, trigger[to]);
          if (next === null) continue;
          status = next;
          timeline.push(next);
        }
        expect(await world.reader.find(party.accountId, call.id)).toHaveProperty('status', status);
        const events = await world.reader.events(party.accountId, call.id);
        expect(events?.map(({ type }) => type)).toEqual(timeline);
      }),
      { numRuns: 40 },
    );
  });

  test('keeps the first answer time', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    await world.drives.advance({ ...fenceOf(call), to: 'in_progress', atMs: call.startedAtMs + 1_000 });
    await world.drives.advance({ ...fenceOf(call), to: 'in_progress', atMs: call.startedAtMs + 9_000 });
    const stored = await world.reader.find(party.accountId, call.id);
    expect(stored).toHaveProperty('answeredAtMs', call.startedAtMs + 1_000);
  });

  test('never sets the answer before the start', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    await world.drives.advance({ ...fenceOf(call), to: 'in_progress', atMs: call.startedAtMs - 5_000 });
    expect(await world.reader.find(party.accountId, call.id)).toHaveProperty('answeredAtMs', call.startedAtMs);
  });
});

test('the answerer can be corrected, with one event per change', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const atMs = call.startedAtMs + 1_500;
  await world.drives.advance({ ...fenceOf(call), to: 'in_progress', atMs: call.startedAtMs + 1_000 });
  for (const answeredBy of ['human', 'human', 'voicemail'] as const) {
    await world.drives.saveAnsweredBy({ ...fenceOf(call), answeredBy, atMs });
  }
  expect(await world.reader.find(party.accountId, call.id)).toHaveProperty('answeredBy', 'voicemail');
  const events = await world.reader.events(party.accountId, call.id);
  expect(events?.filter(({ type }) => type === 'answered_by').map(({ data }) => data)).toEqual([
    { answered_by: 'human' },
    { answered_by: 'voicemail' },
  ]);
});

test('the writes of one tick are stored in order, without loss', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const fence = fenceOf(call);
  const atMs = call.startedAtMs + 100;
  const outcomes = await Promise.all([
    world.drives.saveDialog({ ...fence, carrier: 'simulated', dialog: { cseq: 1 } }),
    world.drives.advance({ ...fence, to: 'ringing', atMs, sipCode: 180 }),
    world.drives.saveDialog({ ...fence, carrier: 'simulated', dialog: { cseq: 2 } }),
    world.drives.advance({ ...fence, to: 'in_progress', atMs }),
    world.drives.saveAnsweredBy({ ...fence, answeredBy: 'human', atMs }),
    world.drives.handOver(fence),
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'written'));
  const [orphan] = await world.drives.takeOver({ workerId: 'other', leaseMs: 60_000, limit: 1, callId: call.id });
  expect(orphan).toMatchObject({ dialog: { cseq: 2 }, carrier: 'simulated', answeredBy: 'human', answeredAtMs: atMs });
  const events = await world.reader.events(party.accountId, call.id);
  expect(events?.map(({ type }) => type)).toEqual([
    'queued',
    'dialing',
    'ringing',
    'in_progress',
    'answered_by',
    'taken_over',
  ]);
});

test('a renewal that was in flight cannot renew a lease after it was handed over', async () => {
  const call = await world.claimed(await world.party());
  await world.drives.handOver(fenceOf(call));
  expect(await world.drives.renewLease({ ...fenceOf(call), leaseMs: 60_000 })).toEqual({ kind: 'fenced' });
});

const enlarge = async (call: ClaimedCall, holdMicros: number, token = world.reconciles.currentToken()) =>
  world.drives.enlargeHold({ ...fenceOf(call), holdMicros: micros(holdMicros), token: await token });

describe('enlargeHold', () => {
  test('sets the absolute amount, never a smaller one', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    expect(await enlarge(call, 41_000)).toEqual({ kind: 'enlarged' });
    expect(await enlarge(call, 30_000)).toEqual({ kind: 'enlarged' });
    expect(await world.reader.find(party.accountId, call.id)).toHaveProperty('holdMicros', 41_000n);
    const events = await world.reader.events(party.accountId, call.id);
    expect(events?.filter(({ type }) => type === 'hold_enlarged').map(({ data }) => data)).toEqual([{ hold: 0.041 }]);
  });

  test('rejects a grant of an earlier gate generation', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    const token = await world.reconciles.currentToken();
    await world.reconciles.nextGeneration();
    expect(await enlarge(call, 41_000, Promise.resolve(token))).toEqual({ kind: 'gate_stale' });
    expect(await world.reader.find(party.accountId, call.id)).toHaveProperty('holdMicros', 29_000n);
  });
});

describe('what a provider wrote that Postgres does not take', () => {
  /** Postgres takes neither U+0000 nor half of a surrogate pair. */
  const HOSTILE = 'a\0b\ud800c';

  test('is stored without it, and the writes of neighbors at the same time are stored too', async () => {
    const [hostile, neighbor] = [await world.claimed(await world.party()), await world.claimed(await world.party())];
    const note = { type: 'tool_called', data: { name: HOSTILE, arguments: { [HOSTILE]: [HOSTILE] } } } as const;
    const written = { kind: 'written', endRequested: false };
    const outcomes = await Promise.all([
      world.drives.saveEvent({ ...fenceOf(hostile), ...note, atMs: hostile.startedAtMs }),
      world.drives.renewLease({ ...fenceOf(neighbor), leaseMs: 60_000 }),
    ]);
    expect(outcomes).toEqual([written, written]);
    const rows = await world.database.side.$queryRaw<unknown[]>`
      SELECT data FROM call_events WHERE call_id = ${hostile.id}::uuid AND type = 'tool_called'`;
    expect(rows).toEqual([{ data: { name: 'a�b�c', arguments: { 'a�b�c': ['a�b�c'] } } }]);
  });

  test('in a transcript does not keep a call from ending', async () => {
    const [hostile, neighbor] = [await world.claimed(await world.party()), await world.claimed(await world.party())];
    const turn = { role: 'callee', text: HOSTILE, start_ms: 0, end_ms: 1, source: 'stt', interrupted: false } as const;
    const outcomes = await Promise.all([
      world.drives.settle({ ...settlementOf(hostile), transcript: [turn] }),
      world.drives.settle(settlementOf(neighbor)),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['settled', 'settled']);
    const rows = await world.database.side.$queryRaw<unknown[]>`
      SELECT transcript FROM calls WHERE id = ${hostile.id}::uuid`;
    expect(rows).toEqual([{ transcript: [{ ...turn, text: 'a�b�c' }] }]);
  });
});

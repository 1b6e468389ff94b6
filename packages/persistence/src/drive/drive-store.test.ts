import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, settlementOf, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('a call goes from queued to ended, and every step is in its timeline', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const fence = { callId: call.id, epoch: call.epoch };
  const written = { kind: 'written', endRequested: false };
  expect(await world.drives.saveDialog({ ...fence, carrier: 'simulated', dialog: { leg: 'a' } })).toEqual(written);
  expect(await world.drives.advance({ ...fence, to: 'ringing', atMs: call.startedAtMs + 500, sipCode: 180 })).toEqual(
    written,
  );
  expect(await world.drives.advance({ ...fence, to: 'in_progress', atMs: call.startedAtMs + 2_000 })).toEqual(written);
  expect(await world.drives.saveAnsweredBy({ ...fence, answeredBy: 'human', atMs: call.startedAtMs + 3_000 })).toEqual(
    written,
  );
  expect(await world.drives.renewLease({ ...fence, leaseMs: 60_000 })).toEqual(written);
  const outcome = await world.drives.settle(settlementOf(call));
  expect(outcome).toMatchObject({
    kind: 'settled',
    release: { balance: { balanceMicros: 999_983_000n, balanceVersion: 2 } },
  });
  const events = await world.reader.events(party.accountId, call.id);
  expect(events?.map(({ type, atMs, data }) => [type, atMs, data])).toEqual([
    ['queued', call.createdAtMs, {}],
    ['dialing', call.startedAtMs, {}],
    ['ringing', call.startedAtMs + 500, { sip_code: 180 }],
    ['in_progress', call.startedAtMs + 2_000, {}],
    ['answered_by', call.startedAtMs + 3_000, { answered_by: 'human' }],
    ['ended', call.startedAtMs + 10_000, { ended_reason: 'agent_hangup', sip_code: 200 }],
  ]);
});

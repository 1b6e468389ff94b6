import { describeDriveStore } from '@outdial/calls/testing';
import { micros } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, settlementOf, type World } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describeDriveStore('in Postgres', async () => {
  const party = await world.party();
  const call = await world.queued(party);
  const { side } = world.database;
  const { dialling } = createAdministration(world.database, { actor: 'test' });
  return {
    store: world.drives,
    call,
    balanceMicros: micros(1_000_000_000),
    token: () => world.reconciles.currentToken(),
    nextGeneration: async () => void (await world.reconciles.nextGeneration()),
    // As a request that comes between a claim's delivery and the claim; a request for a queued call ends it at once.
    requestEnd: async () =>
      void (await side.$executeRaw`UPDATE calls SET end_requested_at = clock_timestamp() WHERE id = ${call.id}::uuid`),
    expireInQueue: async () =>
      void (await side.$executeRaw`UPDATE calls SET expires_at = created_at WHERE id = ${call.id}::uuid`),
    pauseDialing: async () => void (await dialling.set({ paused: true })),
    close: async () => void (await dialling.set({ paused: false })),
  };
});

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

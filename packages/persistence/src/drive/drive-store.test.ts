import type { AcceptRow } from '@outdial/calls';
import {
  CONDUCTED,
  describeDriveStore,
  describeTurnStore,
  describeUsageStore,
  reportOf,
  usageOf,
} from '@outdial/calls/testing';
import { micros, OPEN_POLICY, type Driver } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storedOptOut } from '../../test/opt-out.ts';
import { CLOSED, dialed, savePolicy } from '../../test/policies.ts';
import { suppress } from '../../test/suppress.ts';
import { createWorld, settlementOf, type World } from '../../test/world.ts';
import { createAdministration } from '../administration/administration.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function stage(changes: Partial<AcceptRow>) {
  const party = await world.party();
  const queued = await world.queued(party, changes);
  const call = { ...queued, reservationId: await world.reservationOf(queued.id) };
  let { windows, caps } = OPEN_POLICY;
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
    conduct: async (driver: Driver) =>
      void (await side.$executeRaw`INSERT INTO model_calls (call_id, driver) VALUES (${call.id}::uuid, ${driver})`),
    linesOfCall: async () => {
      const [row] = await side.$queryRaw<{ lines: string[] | null }[]>`
        SELECT lines FROM model_calls WHERE call_id = ${call.id}::uuid`;
      return row?.lines ?? null;
    },
    optOut: () => storedOptOut(world.database, call.id),
    suppress: () => suppress(world.database, { accountId: party.accountId, number: call.calleeNumber }),
    closeHours: async () => {
      windows = CLOSED.windows;
      await savePolicy(world.database, party.accountId, { windows, caps });
    },
    reachCap: async () => {
      caps = [{ hours: 24, max: 1 }];
      await savePolicy(world.database, party.accountId, { windows, caps });
      await dialed(world.database, { accountId: party.accountId, number: call.calleeNumber });
    },
    pauseDialing: async () => void (await dialling.set({ paused: true })),
    close: async () => void (await dialling.set({ paused: false })),
  };
}

describeDriveStore('in Postgres', () => stage({}));
describeUsageStore('in Postgres', () => stage({ conducted: CONDUCTED }));
describeTurnStore('in Postgres', () => stage({}));

test('a call shows the usage that its driver stored, during the call and after its end', async () => {
  const party = await world.party();
  const call = await world.claimed(party, { conducted: CONDUCTED });
  const fence = { callId: call.id, epoch: call.epoch };
  const usageNow = async () => (await world.reader.find(party.accountId, call.id))?.usage;
  expect(await usageNow()).toEqual([]);
  const [some, all] = [reportOf(usageOf(1.5, 10, 3)), reportOf(usageOf(2, 20, 3))];
  await world.drives.renewLease({ ...fence, leaseMs: 60_000, usage: some });
  expect(await usageNow()).toEqual(some.entries);
  await world.drives.settle(settlementOf(call, { usage: all }));
  expect(await usageNow()).toEqual(all.entries);
  const [row] = await world.database.side.$queryRaw<{ cost: bigint }[]>`
    SELECT usage_cost_micros AS cost FROM model_calls WHERE call_id = ${call.id}::uuid`;
  expect(row?.cost).toBe(all.costMicros);
});

test('a call that has ended shows how fast its models answered, and a summary of it does not', async () => {
  const party = await world.party();
  const call = await world.claimed(party, { conducted: CONDUCTED });
  const turnMetrics = [
    { startMs: 0, v2vMs: null, bargeInMs: null },
    { startMs: 4_000, v2vMs: 812.5, bargeInMs: 160 },
  ];
  await world.drives.settle(settlementOf(call, { turnMetrics }));
  expect(await world.reader.find(party.accountId, call.id)).toMatchObject({ turnMetrics });
  const page = { accountId: party.accountId, filter: {}, after: null, limit: 1, maxBytes: 1_000_000 };
  const { calls } = await world.reader.page({ ...page, detail: 'summary' });
  expect(calls[0]).toMatchObject({ id: call.id, turnMetrics: [] });
});

test('a scripted call has no row of models', async () => {
  const call = await world.queued(await world.party());
  const rows = await world.database.side.$queryRaw<object[]>`
    SELECT call_id FROM model_calls WHERE call_id = ${call.id}::uuid`;
  expect(rows).toEqual([]);
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

import type { Settlement } from '@outdial/calls';
import { micros, type Turn } from '@outdial/contracts';
import { assert, asyncProperty, boolean, integer, option } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claim, createWorld, cycle, settlementOf, type Party, type World } from '../../test/world.ts';
import { createDriveStore } from './drive-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function booksOf({ accountId }: Party) {
  const [row] = await world.database.side.$queryRaw<{ balance: bigint; version: bigint; charges: bigint[] }[]>`
    SELECT w.balance_micros AS balance, w.version,
      ARRAY(
        SELECT l.amount_micros FROM ledger_entries l
        WHERE l.account_id = w.account_id AND l.kind = 'call_charge' ORDER BY l.id
      ) AS charges
    FROM wallets w WHERE w.account_id = ${accountId}::uuid`;
  return row;
}

const TRANSCRIPT: readonly Turn[] = [
  { role: 'agent', text: 'Hello Zoë.', start_ms: 0, end_ms: 900, source: 'script', interrupted: false },
  { role: 'callee', text: null, start_ms: 1_000, end_ms: 1_400, source: 'untranscribed', interrupted: false },
];

test('a settled call keeps everything that its driver reported', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const details = { transcript: TRANSCRIPT, summary: 'They spoke.', recordingKey: 'ab/1.wav' } as const;
  await world.drives.settle(settlementOf(call, details));
  expect(await world.reader.find(party.accountId, call.id)).toMatchObject({
    status: 'ended',
    startedAtMs: call.startedAtMs,
    answeredAtMs: call.startedAtMs + 2_000,
    endedAtMs: call.startedAtMs + 10_000,
    endedReason: 'agent_hangup',
    answeredBy: 'human',
    sipCode: 200,
    billableSeconds: 60,
    costMicros: 17_000n,
    transcript: TRANSCRIPT,
    summary: 'They spoke.',
    recordingStatus: 'available',
  });
  expect(await world.reader.recordingKey(party.accountId, call.id)).toBe('ab/1.wav');
});

test('a rejected call keeps the carrier’s response details; a call without a response has none', async () => {
  const party = await world.party();
  const [refused, plain] = [await world.claimed(party), await world.claimed(party)];
  const sip = { code: 403, reasonPhrase: 'Zoë said “no”', warning: '399 gw "later"', q850Cause: 21, q850Text: null };
  const unanswered = { reason: 'declined', answeredAtMs: null, answeredBy: null } as const;
  const charge = { billableSeconds: 0, costMicros: micros(0) };
  const settlement = settlementOf(refused, { ...unanswered, charge, sipCode: 403, sip });
  await world.drives.settle(settlement);
  expect(await world.drives.settle(settlement)).toMatchObject({ kind: 'settled' });
  await world.drives.settle(settlementOf(plain));
  expect(await world.reader.find(party.accountId, refused.id)).toMatchObject({ sipCode: 403, sip });
  expect(await world.reader.find(party.accountId, plain.id)).toMatchObject({ sip: null });
});

test('only a call whose agent failed has a failure', async () => {
  const party = await world.party();
  const failed = await world.claimed(party);
  const failure = { code: 'text_unspeakable', field: 'lines.2' } as const;
  await world.drives.settle(settlementOf(failed, { reason: 'agent_error', failure }));
  // The retry of a settlement whose result was lost.
  await world.drives.settle(settlementOf(failed, { reason: 'agent_error', failure }));
  expect(await world.reader.find(party.accountId, failed.id)).toMatchObject({ endedReason: 'agent_error', failure });

  const fine = await world.claimed(party);
  await world.drives.settle(settlementOf(fine));
  expect(await world.reader.find(party.accountId, fine.id)).toMatchObject({
    endedReason: 'agent_hangup',
    failure: null,
  });
});

describe('a call is charged exactly once', () => {
  test('when many workers settle it at the same time', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    const workers = Array.from({ length: 4 }, () => createDriveStore(world.database));
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, index) => cycle(workers, index).settle(settlementOf(call))),
    );
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'settled', release: { reservationId: call.reservationId } });
    }
    expect(await booksOf(party)).toEqual({ balance: 999_983_000n, version: 2n, charges: [-17_000n] });
  });

  test('when its driver and the worker that took it over settle at the same time: the later epoch wins', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    await world.drives.handOver({ callId: call.id, epoch: call.epoch });
    const [orphan] = await world.drives.takeOver({ workerId: 'other', leaseMs: 60_000, limit: 1, callId: call.id });
    const late = { ...settlementOf(call), epoch: orphan?.epoch ?? 0, reason: 'worker_lost' } as const;
    const [first, second] = await Promise.all([
      world.drives.settle(settlementOf(call)),
      createDriveStore(world.database).settle(late),
    ]);
    expect([first.kind, second.kind]).toEqual(['fenced', 'settled']);
    expect(await world.reader.find(party.accountId, call.id)).toHaveProperty('endedReason', 'worker_lost');
    expect(await booksOf(party)).toMatchObject({ charges: [-17_000n] });
  });

  test('a settlement whose result was lost may be retried, even with other values', async () => {
    const party = await world.party();
    const call = await world.claimed(party);
    const first = await world.drives.settle(settlementOf(call));
    const again = await world.drives.settle(
      settlementOf(call, { charge: { billableSeconds: 0, costMicros: micros(1) } }),
    );
    expect(again).toEqual(first);
    expect(await booksOf(party)).toMatchObject({ charges: [-17_000n] });
  });
});

test('calls of one account that are settled together pay their sum, and each returns the resulting balance', async () => {
  const party = await world.party();
  const calls = await Promise.all(Array.from({ length: 12 }, () => world.claimed(party)));
  const outcomes = await Promise.all(calls.map((call) => world.drives.settle(settlementOf(call))));
  const books = await booksOf(party);
  expect(books).toMatchObject({ balance: 1_000_000_000n - 12n * 17_000n });
  expect(books?.charges).toHaveLength(12);
  for (const outcome of outcomes) {
    if (outcome.kind !== 'settled') throw new Error('every call is settled');
    expect(outcome.release.balance?.balanceVersion).toBeGreaterThan(1);
  }
});

test('two workers that settle calls of many accounts at once never deadlock', async () => {
  const parties = await Promise.all(Array.from({ length: 6 }, () => world.party()));
  const calls = await Promise.all(Array.from({ length: 120 }, (_, index) => world.claimed(cycle(parties, index))));
  const workers = [createDriveStore(world.database), createDriveStore(world.database)];
  const outcomes = await Promise.all(calls.map((call, index) => cycle(workers, index).settle(settlementOf(call))));
  expect(outcomes.every((outcome) => outcome.kind === 'settled')).toBe(true);
  for (const party of parties) expect(await booksOf(party)).toMatchObject({ balance: 1_000_000_000n - 20n * 17_000n });
});

test('a call never costs more than its hold', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const charge = { billableSeconds: 600, costMicros: micros(125_000) };
  await world.drives.settle(settlementOf(call, { charge }));
  expect(await world.reader.find(party.accountId, call.id)).toMatchObject({
    costMicros: 29_000n,
    billableSeconds: 600,
  });
});

test('an unanswered call costs nothing, has a ledger entry, and leaves the wallet unchanged', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const charge = { billableSeconds: 0, costMicros: micros(0) };
  const unanswered = { reason: 'busy', answeredAtMs: null, answeredBy: null, sipCode: 486, charge } as const;
  const outcome = await world.drives.settle(settlementOf(call, unanswered));
  expect(outcome).toMatchObject({ release: { balance: { balanceMicros: 1_000_000_000n, balanceVersion: 1 } } });
  expect(await booksOf(party)).toEqual({ balance: 1_000_000_000n, version: 1n, charges: [0n] });
  expect(await world.reader.find(party.accountId, call.id)).toMatchObject({
    answeredAtMs: null,
    recordingStatus: 'none',
  });
});

test('an answer that could not be stored when it happened is stored at the end, with its event', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  await world.drives.settle(settlementOf(call));
  const events = await world.reader.events(party.accountId, call.id);
  expect(events?.map(({ type, atMs }) => [type, atMs - call.startedAtMs])).toEqual([
    ['queued', call.createdAtMs - call.startedAtMs],
    ['dialing', 0],
    ['in_progress', 2_000],
    ['ended', 10_000],
  ]);
});

test('a call that was claimed and never dialed starts when it ends', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  const charge = { billableSeconds: 0, costMicros: micros(0) };
  const endedAtMs = call.startedAtMs + 700;
  const undialled = { reason: 'cancelled', neverDialled: true, answeredAtMs: null, answeredBy: null, charge } as const;
  await world.drives.settle(settlementOf(call, { ...undialled, endedAtMs, sipCode: null }));
  expect(await world.reader.find(party.accountId, call.id)).toMatchObject({ startedAtMs: endedAtMs, endedAtMs });
});

test('the stored times are in order for any reported times', async () => {
  const party = await world.party();
  const offsetMs = integer({ min: -100_000, max: 100_000 });
  await assert(
    asyncProperty(offsetMs, option(offsetMs), boolean(), async (ended, answered, neverDialled) => {
      const call = await world.claimed(party);
      const settlement: Settlement = settlementOf(call, {
        neverDialled,
        endedAtMs: call.startedAtMs + ended + 0.4,
        answeredAtMs: answered === null ? null : call.startedAtMs + answered + 0.4,
        charge: { billableSeconds: 0, costMicros: micros(0) },
      });
      expect(await world.drives.settle(settlement)).toHaveProperty('kind', 'settled');
      const stored = await world.reader.find(party.accountId, call.id);
      if (stored?.status !== 'ended') throw new Error('the call has ended');
      const { createdAtMs, startedAtMs, answeredAtMs, endedAtMs } = stored;
      expect(createdAtMs).toBeLessThan(startedAtMs);
      expect(startedAtMs).toBeLessThanOrEqual(answeredAtMs ?? startedAtMs);
      expect(answeredAtMs ?? startedAtMs).toBeLessThanOrEqual(endedAtMs);
      expect(answeredAtMs === null).toBe(answered === null);
    }),
    { numRuns: 60 },
  );
});

describe('endQueued', () => {
  test('ends unclaimed calls without charge, and skips the others', async () => {
    const party = await world.party();
    const queued = await world.queued(party);
    const claimed = await world.claimed(party);
    const callIds = [queued.id, claimed.id];
    const releases = await world.drives.endQueued({ callIds, reason: 'queue_expired' });
    expect(releases).toEqual([
      {
        callId: queued.id,
        accountId: party.accountId,
        reservationId: await world.reservationOf(queued.id),
        balance: { balanceMicros: 1_000_000_000n, balanceVersion: 1 },
      },
    ]);
    const ended = await world.reader.find(party.accountId, queued.id);
    expect(ended).toMatchObject({ endedReason: 'queue_expired', costMicros: 0n, billableSeconds: 0 });
    expect(ended).toHaveProperty('startedAtMs', ended?.status === 'ended' ? ended.endedAtMs : null);
    expect(await world.reader.find(party.accountId, claimed.id)).toHaveProperty('status', 'dialing');
    expect(await booksOf(party)).toEqual({ balance: 1_000_000_000n, version: 1n, charges: [0n] });
    expect(await world.drives.endQueued({ callIds, reason: 'queue_expired' })).toEqual([]);
  });

  test('races a claim of the same call: one of them wins', async () => {
    const party = await world.party();
    const calls = await Promise.all(Array.from({ length: 40 }, () => world.queued(party)));
    await Promise.all(
      calls.map(async ({ id }) => {
        const [claimed, ended] = await Promise.all([
          claim(world.drives, id).then(
            () => true,
            () => false,
          ),
          world.drives.endQueued({ callIds: [id], reason: 'cancelled' }),
        ]);
        expect(ended.length === 1).toBe(!claimed);
      }),
    );
  });
});

import { advance, CALL_STATES, type AdmitOutcome, statusesBefore, statusesIn, type CallTrigger } from '@outdial/calls';
import { CALL_STATUSES, micros, type CallId, type CallStatus } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callIn, type CallIn } from '../../test/call-in.ts';
import { newTrunkName } from '../../test/trunks.ts';
import { createWorld, LEASE_MS, settlementOf, WORKER, type Party, type World } from '../../test/world.ts';
import { createSystemReader } from '../read/system-reader.ts';
import { createDialAttemptStore } from '../trunks/dial-attempt-store.ts';

let world: World;
let party: Party;
beforeAll(async () => {
  world = await createWorld();
  party = await world.party();
});
afterAll(() => world.close());

const fenceOf = ({ callId, epoch }: CallIn) => ({ callId, epoch });
const atMsOf = ({ claimed }: CallIn) => claimed?.startedAtMs ?? Date.now();

async function statusOf({ callId: id }: CallIn): Promise<CallStatus | undefined> {
  const [row] = await world.database.side.$queryRaw<{ status: CallStatus }[]>`
    SELECT status FROM calls WHERE id = ${id}::uuid`;
  return row?.status;
}

/** In a turn of its account. */
async function admit(callId: CallId): Promise<AdmitOutcome | null> {
  await world.schedules.beginTurns({ workerId: WORKER, limit: 1_000 });
  const [turn] = await world.database.side.$queryRaw<{ epoch: bigint }[]>`
    SELECT epoch FROM dial_turns WHERE account_id = ${party.accountId}::uuid`;
  const { accountId } = party;
  const taken = await world.schedules.takeDue({ accountId, epoch: Number(turn?.epoch ?? 0), limit: 1_000 });
  const call = taken.find((one) => one.callId === callId);
  if (!call) return null;
  const { reservationId, token, holdMicros, rate, place } = await world.row(party);
  const { admitToken } = call;
  return world.schedules.admit({ callId, admitToken, reservationId, token, holdMicros, rate, conducted: null, place });
}

/** Each trigger of the table, by the store that it reaches. */
const HAPPEN: Readonly<Record<CallTrigger, (call: CallIn) => Promise<unknown>>> = {
  admitted: ({ callId }) => admit(callId),
  claimed: ({ callId }) => world.drives.claim({ callId, workerId: WORKER, leaseMs: LEASE_MS, writeAheadDial: true }),
  provisional_response: (call) =>
    world.drives.advance({ ...fenceOf(call), to: 'ringing', atMs: atMsOf(call), sipCode: 180 }),
  answered: (call) => world.drives.advance({ ...fenceOf(call), to: 'in_progress', atMs: atMsOf(call) }),
  finished: async ({ callId, claimed }) =>
    claimed === null
      ? (await world.ends.requestEnd({ accountId: party.accountId, callId })).kind === 'cancelled' ||
        world.drives.endQueued({ callIds: [callId], reason: 'cancelled' })
      : world.drives.settle(settlementOf(claimed)),
};

describe.each(CALL_STATUSES)('a call that is %s', (status) => {
  test.each(Object.keys(CALL_STATES.transitions).filter(isTrigger))(
    'moves as the table says when %s',
    async (trigger) => {
      const call = await callIn(world, party, status);
      await HAPPEN[trigger](call);
      expect(await statusOf(call)).toBe(advance(status, trigger) ?? status);
    },
  );

  test('is open to the writes of a driver exactly while a worker drives it', async () => {
    const { drives, database, reconciles } = world;
    const fence = fenceOf(await callIn(world, party, status));
    const token = await reconciles.currentToken();
    const attempt = { carrier: 'sip', trunk: newTrunkName(), dialog: {}, number: 1, token };
    const outcomes = [
      await createDialAttemptStore(database).beginAttempt({ ...fence, ...attempt }),
      await drives.enlargeHold({ ...fence, holdMicros: micros(50_000), token }),
      await drives.saveDialog({ ...fence, carrier: 'sip', dialog: {} }),
      await drives.saveAnsweredBy({ ...fence, answeredBy: 'human', atMs: Date.now() }),
      await drives.renewLease({ ...fence, leaseMs: LEASE_MS }),
      await drives.handOver(fence),
    ].map(({ kind }) => kind !== 'fenced');
    expect(new Set(outcomes)).toEqual(new Set([CALL_STATES.phases[status] === 'driven']));
    const orphans = await drives.takeOver({ workerId: 'other', leaseMs: LEASE_MS, limit: 1, callId: fence.callId });
    expect(orphans.length === 1).toBe(CALL_STATES.phases[status] === 'driven');
  });

  test('is claimed a second time only if it was claimed and not answered', async () => {
    const call = await callIn(world, party, status);
    const { kind } = await world.drives.reclaim({ ...fenceOf(call), leaseMs: LEASE_MS });
    expect(kind === 'claimed').toBe(statusesBefore('answered').includes(status));
  });

  test('is ended by a request, by its driver, or not at all', async () => {
    const { callId: id } = await callIn(world, party, status);
    const { kind } = await world.ends.requestEnd({ accountId: party.accountId, callId: id });
    const byPhase = { planned: 'cancelled', waiting: 'cancelled', driven: 'requested', over: 'already_ended' } as const;
    expect(kind).toBe(byPhase[CALL_STATES.phases[status]]);
  });

  test('counts as open, waiting or ended as the table says', async () => {
    const own = await world.party();
    const { callId: id } = await callIn(world, own, status);
    const phase = CALL_STATES.phases[status];
    const { side } = world.database;
    const { openCalls } = await createSystemReader(world.database).openCalls();
    const counted = openCalls.filter((calls) => calls.status === status).reduce((sum, { calls }) => sum + calls, 0);
    const [stored] = await side.$queryRaw<{ calls: number }[]>`
      SELECT count(*)::int AS calls FROM calls WHERE status = ${status}::call_status`;
    expect(counted).toBe(phase === 'waiting' || phase === 'driven' ? stored?.calls : 0);
    const queued = await world.reconciles.queuedCalls({ olderThanMs: 0, limit: 1_000 });
    expect(queued.some(({ callId }) => callId === id)).toBe(phase === 'waiting');
    const facts = await side.$queryRaw`SELECT id FROM ended_call_facts WHERE id = ${id}::uuid`;
    expect(facts).toHaveLength(phase === 'over' ? 1 : 0);
  });
});

test('the trigger of the totals fires for exactly the updates that end a call', async () => {
  const { callId: id } = await callIn(world, party, 'queued');
  const { side } = world.database;
  const setStatus = async (status: CallStatus) => {
    const isOver = CALL_STATES.phases[status] === 'over';
    const epoch = CALL_STATES.phases[status] === 'planned' ? 0 : 1;
    await side.$executeRaw`
      UPDATE calls SET status = ${status}::call_status, epoch = ${epoch}::int, worker_id = 'w', lease_expires_at = created_at,
        reservation_id = CASE WHEN ${CALL_STATES.phases[status] === 'planned'} THEN NULL ELSE id END,
        hold_micros = 0, started_at = created_at + interval '1 ms', answered_at = created_at + interval '1 ms',
        ended_at = CASE WHEN ${isOver} THEN created_at + interval '1 ms' END,
        settled_at = CASE WHEN ${isOver} THEN created_at END,
        ended_reason = CASE WHEN ${isOver} THEN 'cancelled'::ended_reason END
      WHERE id = ${id}::uuid`;
  };
  const fired: string[] = [];
  for (const before of CALL_STATUSES) {
    for (const after of CALL_STATUSES) {
      await setStatus(before);
      await side.$executeRaw`DELETE FROM uncounted_calls`;
      await setStatus(after);
      if ((await side.$executeRaw`DELETE FROM uncounted_calls WHERE call_id = ${id}::uuid`) === 1)
        fired.push(`${before} → ${after}`);
    }
  }
  const { from, to } = CALL_STATES.transitions.finished;
  expect(fired).toEqual(from.map((status) => `${status} → ${to}`));
});

test('the count of calls from before the trigger counts those that have ended, and no other', async () => {
  const own = await world.party();
  for (const status of CALL_STATUSES) await callIn(world, own, status);
  const { side } = world.database;
  await side.$queryRaw`SELECT recount_calls()::text`;
  let counted = 1;
  while (counted > 0) counted = (await side.$queryRaw<{ n: number }[]>`SELECT count_ended_calls(1000) AS n`)[0]?.n ?? 0;
  const totals = await side.$queryRaw`
    SELECT sum(calls)::int AS calls FROM call_totals WHERE account_id = ${own.accountId}::uuid`;
  expect(totals).toEqual([{ calls: statusesIn('over').length }]);
});

function isTrigger(text: string): text is CallTrigger {
  return Object.hasOwn(CALL_STATES.transitions, text);
}

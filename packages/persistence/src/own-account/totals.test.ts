import { e164Schema, endedReasons, micros, type AccountId } from '@outdial/contracts';
import { array, assert, asyncProperty, constantFrom, integer, record, uniqueArray } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertEndedCalls } from '../../test/many-calls.ts';
import { createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import { createDriveStore } from '../drive/drive-store.ts';
import { countEndedCalls } from '../totals/count-ended-calls.ts';
import { openOwnAccount } from './own-account.ts';
import { totalsStatement, type StepBounds, type Totals } from './totals.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const HALF_HOUR_MS = 1_800_000;
const NUMBERS = ['+12025550100', '+12025550101'] as const;

const totalsOf = (accountId: AccountId, bounds: StepBounds) =>
  openOwnAccount(world.database, {
    accountId,
    actor: 'user-1',
    bounds: { apiKeys: 100, agents: 100, credentials: 100, secrets: 100 },
  }).totals(bounds);

interface Scanned {
  readonly reason: string;
  readonly agent: string;
  readonly number: string;
  readonly endedAtMs: number;
  readonly answered: boolean;
  readonly costMicros: bigint;
  readonly waitingMs: number;
  readonly ringingMs: number;
  readonly talkingMs: number;
}

/** Every ended call of the account, by its row. */
async function scan(accountId: AccountId): Promise<readonly Scanned[]> {
  return world.database.side.$queryRaw<Scanned[]>`
    SELECT ended_reason::text AS reason, agent_id::text AS agent, caller_number AS number,
      epoch_ms(ended_at) AS "endedAtMs", answered_at IS NOT NULL AS answered, cost_micros AS "costMicros",
      epoch_ms(started_at) - epoch_ms(created_at) AS "waitingMs",
      epoch_ms(LEAST(answered_at, ended_at)) - epoch_ms(started_at) AS "ringingMs",
      CASE WHEN answered_at IS NULL THEN 0 ELSE epoch_ms(ended_at) - epoch_ms(answered_at) END AS "talkingMs"
    FROM calls WHERE account_id = ${accountId}::uuid AND ended_at IS NOT NULL`;
}

function sumUp(calls: readonly Scanned[]) {
  const sum = (of: (call: Scanned) => number) => calls.reduce((total, call) => total + of(call), 0);
  return {
    calls: calls.length,
    answered: sum(({ answered }) => Number(answered)),
    costMicros: calls.reduce((total, { costMicros }) => total + costMicros, 0n),
    waitingMs: sum(({ waitingMs }) => waitingMs),
    ringingMs: sum(({ ringingMs }) => ringingMs),
    talkingMs: sum(({ talkingMs }) => talkingMs),
  };
}

/** The expected totals, from a plain scan. */
function expected(all: readonly Scanned[], bounds: StepBounds) {
  const within = all.filter(({ endedAtMs }) => endedAtMs >= bounds[0] && endedAtMs < (bounds.at(-1) ?? 0));
  const grouped = (keyOf: (call: Scanned) => string) =>
    Object.fromEntries(
      [...new Set(within.map(keyOf))].map((key) => [key, sumUp(within.filter((call) => keyOf(call) === key))]),
    );
  const stepOf = ({ endedAtMs }: Scanned) => bounds.findLastIndex((bound) => bound <= endedAtMs);
  return {
    steps: grouped((call) => `${stepOf(call)} ${call.reason}`),
    agents: grouped(({ agent }) => agent),
    numbers: grouped(({ number }) => number),
  };
}

const summed = ({ steps, agents, numbers }: Totals) => ({
  steps: Object.fromEntries(steps.map(({ step, endedReason, ...sums }) => [`${step} ${endedReason}`, sums])),
  agents: Object.fromEntries(agents.map(({ subject, sums }) => [subject, sums])),
  numbers: Object.fromEntries(numbers.map(({ subject, sums }) => [subject, sums])),
});

async function settleAs(party: Party, { reason, number, isAnswered, talkMs }: Ending): Promise<string> {
  const call = await world.claimed(party, { callerNumber: e164Schema.parse(number) });
  await world.drives.settle(
    settlementOf(call, {
      reason,
      answeredAtMs: isAnswered ? call.startedAtMs + 700 : null,
      endedAtMs: call.startedAtMs + 700 + talkMs,
      charge: isAnswered
        ? { billableSeconds: 1, costMicros: micros(talkMs) }
        : { billableSeconds: 0, costMicros: micros(0) },
    }),
  );
  return call.id;
}

interface Ending {
  readonly reason: (typeof endedReasons)[number];
  readonly number: (typeof NUMBERS)[number];
  readonly isAnswered: boolean;
  readonly talkMs: number;
}
const endings = array(
  record<Ending>({
    reason: constantFrom(...endedReasons),
    number: constantFrom(...NUMBERS),
    isAnswered: constantFrom(true, false),
    talkMs: integer({ min: 0, max: 20_000 }),
  }),
  { minLength: 1, maxLength: 8 },
);
/** Half hours around now. */
const spans = uniqueArray(integer({ min: -150, max: 150 }), { minLength: 2, maxLength: 12 });

test('totals equal a scan of the calls, counted or not, for any span and steps', async () => {
  const parties = [await world.party(), await world.party()];
  await assert(
    asyncProperty(endings, spans, constantFrom(true, false), async (drawn, span, isCounted) => {
      for (const [index, ending] of drawn.entries()) {
        const id = await settleAs(parties[index % 2] ?? never(), ending);
        // Spread over the past, so that all ends of the span and the days between occur.
        await world.database.side.$executeRaw`
          UPDATE calls SET created_at = created_at - d.back, started_at = started_at - d.back,
            answered_at = answered_at - d.back, ended_at = ended_at - d.back
          FROM (SELECT make_interval(mins => ${(ending.talkMs % 150) * 30}::int) AS back) d WHERE id = ${id}::uuid`;
      }
      if (isCounted) await countEndedCalls(world.database);
      const base = Math.floor(Date.now() / HALF_HOUR_MS);
      const [first = 0, second = 1, ...rest] = span
        .toSorted((one, other) => one - other)
        .map((halfHours) => (base + halfHours) * HALF_HOUR_MS);
      const bounds: StepBounds = [first, second, ...rest];
      for (const { accountId } of parties) {
        expect(summed(await totalsOf(accountId, bounds))).toEqual(expected(await scan(accountId), bounds));
      }
    }),
    { numRuns: 25 },
  );
});

function never(): never {
  throw new Error('there are two parties');
}

const ALL: StepBounds = [0, Math.ceil(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS + 48 * HALF_HOUR_MS];

test('a call is counted once: settled by many workers, taken over, or ended in the queue, while several workers count', async () => {
  const party = await world.party();
  const workers = Array.from({ length: 3 }, () => createDriveStore(world.database));
  const calls = await Promise.all(Array.from({ length: 20 }, () => world.claimed(party)));
  const taken = await world.claimed(party);
  await world.drives.handOver({ callId: taken.id, epoch: taken.epoch });
  const [orphan] = await world.drives.takeOver({ workerId: 'other', leaseMs: 60_000, limit: 1, callId: taken.id });
  const { id: queuedId } = await world.queued(party);
  await Promise.all([
    ...calls.flatMap((call) => workers.map((worker) => worker.settle(settlementOf(call)))),
    world.drives.settle(settlementOf(taken)),
    world.drives.settle({ ...settlementOf(taken), epoch: orphan?.epoch ?? 0, reason: 'worker_lost' }),
    world.drives.endQueued({ callIds: [queuedId], reason: 'queue_expired' }),
    ...Array.from({ length: 6 }, () => countEndedCalls(world.database)),
  ]);
  await Promise.all(Array.from({ length: 3 }, () => countEndedCalls(world.database)));
  const [left] = await world.database.side.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM uncounted_calls WHERE account_id = ${party.accountId}::uuid`;
  expect(left?.count).toBe(0);
  const totals = await totalsOf(party.accountId, ALL);
  expect(Object.fromEntries(totals.steps.map(({ endedReason, calls: count }) => [endedReason, count]))).toEqual({
    agent_hangup: 20,
    worker_lost: 1,
    queue_expired: 1,
  });
  expect(totals.agents).toMatchObject([{ subject: party.agentId, name: 'Anna', sums: { calls: 22 } }]);
  expect(summed(totals)).toEqual(expected(await scan(party.accountId), ALL));
});

test('calls from before the totals existed are counted in batches, and a call that ends during that is counted once', async () => {
  const party = await world.party();
  await insertEndedCalls(world.database, [party], 1_200);
  const [noted, open] = [await world.claimed(party), await world.claimed(party)];
  await world.database.side.$executeRaw`SELECT recount_calls()`;
  await world.drives.settle(settlementOf(noted));
  await world.database.side.$executeRaw`SELECT count_ended_calls(500)`;
  await world.drives.settle(settlementOf(open));
  expect(await totalsOf(party.accountId, ALL)).toMatchObject({ isComplete: false });
  await countEndedCalls(world.database);
  const totals = await totalsOf(party.accountId, ALL);
  expect(totals.isComplete).toBe(true);
  expect(totals.steps.reduce((sum, { calls }) => sum + calls, 0)).toBe(1_202);
  expect(summed(totals)).toEqual(expected(await scan(party.accountId), ALL));
});

test('a call is counted even if Postgres cannot store its metadata as text', async () => {
  const party = await world.party();
  const call = await world.claimed(party);
  await world.database.side.$executeRawUnsafe(
    String.raw`UPDATE calls SET metadata = '{"a": "\u0000", "b": "\ud800"}' WHERE id = '${call.id}'`,
  );
  await world.drives.settle(settlementOf(call));
  await countEndedCalls(world.database);
  const [left] = await world.database.side.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM uncounted_calls`;
  expect(left?.count).toBe(0);
});

test('a span is read from the totals, without reading calls', async () => {
  const party = await world.party();
  await insertEndedCalls(world.database, [party], 20_000);
  await world.database.side.$executeRaw`SELECT recount_calls()`;
  await countEndedCalls(world.database);
  await world.database.side.$executeRaw`VACUUM ANALYZE`;
  const { text, values } = totalsStatement(party.accountId, ALL);
  const rows = await world.database.side.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`,
    ...values,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/calls_pkey on calls c \(actual rows=0(?:\.00)? loops=0\)|never executed/);
  expect(plan).not.toContain('Seq Scan on calls');
});

import type { ClaimedCall } from '@outdial/calls';
import { micros } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callColumns, columnsChangedBy, indexesOn } from '../../test/call-columns.ts';
import { newTrunkName } from '../../test/trunks.ts';
import { createWorld, settlementOf, type World } from '../../test/world.ts';
import { createDatabase, type Database } from '../database.ts';
import { createDialAttemptStore } from '../trunks/dial-attempt-store.ts';
import { createDriveStore } from './drive-store.ts';
import { createEndStore } from './end-store.ts';

/**
 * The rule for additions: `calls` has the columns that accept, claim and settle write, and no index has a column that
 * changes between accept and settle. What a later feature adds goes to another table, with the call's id as its key.
 */
let world: World;
let single: Database;
let driven: Driven;
beforeAll(async () => {
  world = await createWorld();
  // One connection, so that its statistics can be flushed before they are read.
  single = createDatabase({ url: world.databaseUrl, poolSize: 1, queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 });
  driven = await drive(single);
});
afterAll(async () => {
  await single.close();
  await world.close();
});

interface Driven {
  /** Columns that changed between accept and settle. */
  readonly columns: ReadonlySet<string>;
  /** Columns that changed with settle. */
  readonly settled: readonly string[];
  readonly updates: unknown;
}

/** A call with every write that a driver, an operator or a client may cause. */
async function drive(database: Database): Promise<Driven> {
  const drives = createDriveStore(database, { uploadsRecordings: true });
  const party = await world.party();
  const { id, createdAtMs: atMs } = await world.queued(party);
  const fence = { callId: id, epoch: 1 };
  const token = await world.reconciles.currentToken();
  const leaseMs = 60_000;
  const dial = { carrier: 'sip', trunk: newTrunkName(), dialog: { callId: 'a' }, number: 1, token };

  let call: ClaimedCall | undefined;
  const columns = new Set<string>();
  const updates = [
    async () => {
      const outcome = await drives.claim({ callId: id, workerId: 'first', leaseMs, writeAheadDial: true });
      if (outcome.kind === 'claimed') ({ call } = outcome);
    },
    () => drives.reclaim({ ...fence, leaseMs }),
    () => createDialAttemptStore(database).beginAttempt({ ...fence, ...dial }),
    () => drives.saveDialog({ ...fence, carrier: 'sip', dialog: { callId: 'a', tags: ['b', 'c'] } }),
    () => drives.advance({ ...fence, to: 'ringing', atMs, sipCode: 180 }),
    () => drives.advance({ ...fence, to: 'in_progress', atMs }),
    () => drives.saveAnsweredBy({ ...fence, answeredBy: 'human', atMs }),
    () => drives.renewLease({ ...fence, leaseMs }),
    () => drives.enlargeHold({ ...fence, holdMicros: micros(40_000), token }),
    () => createEndStore(database).requestEnd({ accountId: party.accountId, callId: id }),
    () => drives.handOver(fence),
    () => drives.takeOver({ workerId: 'second', leaseMs, limit: 1, callId: id }),
  ];
  for (const update of updates) {
    const changed = await columnsChangedBy(database, id, update);
    // A write that was rejected would show nothing.
    if (changed.length === 0) throw new Error(`nothing changed by ${String(update)}`);
    for (const column of changed) columns.add(column);
  }
  const counts = await updateCounts(database);

  const said = { transcript: [], summary: 'Agreed.', recordingKey: 'a.wav', answeredBy: 'voicemail' } as const;
  if (!call) throw new Error('the call was not claimed');
  const settlement = settlementOf({ ...call, epoch: 2 }, { ...said, sipCode: 404 });
  const settled = await columnsChangedBy(database, id, () => drives.settle(settlement));
  return { columns, settled, updates: { expected: updates.length, ...counts } };
}

async function updateCounts({ hot }: Database) {
  await hot.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [counts] = await hot.$queryRaw<{ updates: number; heapOnly: number }[]>`
    SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS "heapOnly" FROM pg_stat_user_tables WHERE relname = 'calls'`;
  return counts;
}

test('updates between accept and settle are heap-only and touch no index', () => {
  expect(driven.updates).toEqual({ expected: 12, updates: 12, heapOnly: 12 });
});

test('no index has a column that changes between accept and settle', async () => {
  expect([...driven.columns]).toEqual(expect.arrayContaining(['status', 'lease_expires_at', 'worker_id', 'dialog']));
  expect(await indexesOn(single, driven.columns)).toEqual([]);
});

test('settle touches the indexes of open calls and the index of ended reasons, and no other', async () => {
  expect(driven.settled).toEqual(expect.arrayContaining(['ended_at', 'ended_reason', 'cost_micros', 'transcript']));
  expect(await indexesOn(single, driven.settled)).toEqual([
    'calls_campaign_open_idx',
    'calls_ended_reason_idx',
    'calls_held_idx',
    'calls_planned_idx',
  ]);
});

test.each([
  ['a key', '(worker_id)'],
  ['an included column', '(id) INCLUDE (epoch)'],
  ['an expression', `((dialog ->> 'callId'))`],
  ['a predicate', `(id) WHERE status = 'ringing'`],
])('a new index with such a column is found: %s', async (_, definition) => {
  await single.hot.$executeRawUnsafe(`CREATE INDEX planted ON calls ${definition}`);
  try {
    expect(await indexesOn(single, driven.columns)).toEqual(['planted']);
  } finally {
    await single.hot.$executeRawUnsafe('DROP INDEX planted');
  }
});

/** Given at acceptance, or when a scheduled call is admitted, and never changed. */
const GIVEN = [
  ['id', 'account_id', 'agent_id', 'agent_version', 'caller_number', 'callee_number', 'currency', 'rate_prefix'],
  ['connection_fee_micros', 'price_per_minute_micros', 'initial_increment_seconds', 'increment_seconds'],
  ['reservation_id', 'max_duration_seconds', 'ring_timeout_seconds', 'variables', 'metadata', 'idempotency_key'],
  ['body_digest', 'request_id', 'created_at', 'queued_at', 'expires_at', 'webhook_url'],
  ['callee_zones', 'callee_regions', 'callee_time_zone', 'campaign_id', 'trace_parent'],
].flat();
/** Written by people, at any time: from before the rule. */
const NOTES = ['review_note'];

/** Columns that belong to another table. */
async function strayColumns(): Promise<readonly string[]> {
  const known = new Set([...GIVEN, ...NOTES, ...driven.columns, ...driven.settled]);
  return (await callColumns(single)).filter((column) => !known.has(column));
}

test('a call has no column that neither accept, a driver nor settle writes: it belongs to a 1:1 table', async () => {
  expect(await strayColumns()).toEqual([]);
  await single.hot.$executeRawUnsafe('ALTER TABLE calls ADD COLUMN sentiment text');
  expect(await strayColumns()).toEqual(['sentiment']);
  await single.hot.$executeRawUnsafe('ALTER TABLE calls DROP COLUMN sentiment');
});

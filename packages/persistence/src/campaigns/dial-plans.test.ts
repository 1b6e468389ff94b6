import type { CallId } from '@outdial/contracts';
import { invariant, systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countBlocksOf, type BlockCounts } from '../../test/block-counts.ts';
import { beginTurn, running, stock, take } from '../../test/campaigns.ts';
import { newTrunkName } from '../../test/trunks.ts';
import { claim, createWorld, LEASE_MS, type Party, type World } from '../../test/world.ts';
import { createAcceptStore } from '../accept/accept-store.ts';
import { createDriveStore } from '../drive/drive-store.ts';
import { createScheduleStore } from '../schedule/schedule-store.ts';
import { createDialAttemptStore } from '../trunks/dial-attempt-store.ts';

const CAMPAIGNS = 20_000;
/** Levels of indexes and the page of a row, for each of three statements, and what their plans read. The table has 500 pages. */
const MAX_BLOCKS = 100;

let world: World;
let counts: BlockCounts;
let party: Party;
/** Has campaigns without end. */
let other: Party;
beforeAll(async () => {
  world = await createWorld();
  [party, other] = [await world.party(), await world.party()];
  counts = await countBlocksOf(world.databaseUrl, ['campaigns']);
});
afterAll(async () => {
  await counts.close();
  await world.close();
});

/** Claims a call, claims it again, and begins an attempt at a trunk: each statement that grants a dial. */
async function dial(callId: CallId): Promise<void> {
  const drives = createDriveStore(counts.single);
  const { epoch } = await claim(drives, callId);
  await drives.reclaim({ callId, epoch, leaseMs: LEASE_MS });
  const token = await world.reconciles.currentToken();
  const attempt = { callId, epoch, carrier: 'sip', trunk: newTrunkName(), dialog: { attempt: 1 }, number: 1, token };
  const begun = await createDialAttemptStore(counts.single).beginAttempt(attempt);
  expect(begun.kind).toBe('written');
}

async function single(): Promise<CallId> {
  const accepted = await createAcceptStore(counts.single, { clock: systemClock }).accept(await world.row(party));
  invariant(accepted.kind === 'accepted', 'the call is accepted');
  return accepted.call.id;
}

async function ofCampaign(): Promise<CallId> {
  const own = { ...world, database: counts.single, schedules: createScheduleStore(counts.single) };
  const id = await running(own, party, { contacts: 1 });
  const turn = await beginTurn(own, party);
  await stock(own, turn, id);
  const [taken] = await take(own, turn, id, 1);
  invariant(taken, 'a call is due');
  const { callId, admitToken } = taken;
  const { reservationId, token, holdMicros, rate, place } = await world.row(party);
  const row = { callId, admitToken, reservationId, token, holdMicros, rate, conducted: null, place };
  expect((await own.schedules.admit(row)).kind).toBe('admitted');
  return callId;
}

async function countScans(): Promise<number> {
  for (const pool of [counts.single.hot, counts.single.side])
    await pool.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await counts.single.side.$queryRaw<{ scans: number }[]>`
    SELECT (seq_scan + idx_scan)::int AS scans FROM pg_stat_user_tables WHERE relname = 'campaigns'`;
  return row?.scans ?? 0;
}

test('a dial of a call without a campaign asks nothing of campaigns', async () => {
  const callId = await single();
  const before = await countScans();
  await dial(callId);
  expect((await countScans()) - before).toBe(0);
});

test.each(['before', 'after'])(`one of ${CAMPAIGNS} campaigns is looked up, %s they are analyzed`, async (when) => {
  const { side } = counts.single;
  if (when === 'before')
    await side.$executeRaw`
      INSERT INTO campaigns (id, account_id, agent_id, name, state, columns, metadata, weight, created_by)
      SELECT gen_random_uuid(), ${other.accountId}::uuid, ${other.agentId}::uuid, 'many', 'draft', '{}', '{}', 10, 'test'
      FROM generate_series(1, ${CAMPAIGNS}::int)`;
  else await side.$executeRaw`ANALYZE campaigns`;
  const callId = await ofCampaign();
  expect(await counts.of(() => dial(callId))).toBeLessThan(MAX_BLOCKS);
});

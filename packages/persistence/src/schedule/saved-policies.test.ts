import { callingPolicySettingsSchema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, WORKER, type Party, type World } from '../../test/world.ts';

const DAY_MS = 86_400_000;
const CLOSED = callingPolicySettingsSchema.parse({ windows: { default: {} } });

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A call that a turn has taken. */
async function taken(party: Party) {
  await world.scheduled(party);
  const turns = await world.schedules.beginTurns({ workerId: WORKER, limit: 10 });
  const turn = turns.find(({ accountId }) => accountId === party.accountId);
  invariant(turn, 'the account has a turn');
  const [call] = await world.schedules.takeDue({ accountId: party.accountId, epoch: turn.epoch, limit: 1 });
  invariant(call, 'the turn has the call');
  return call;
}

/** As if it were saved so long from now, or before. */
async function savePolicyAt({ accountId }: Party, fromNowMs: number): Promise<void> {
  await world.database.side.$executeRaw`
    WITH saved AS (
      INSERT INTO calling_policies (account_id, version, settings, saved_by, saved_at)
      VALUES (${accountId}::uuid, 1, ${JSON.stringify(CLOSED)}::jsonb, 'test',
        clock_timestamp() + ${fromNowMs}::int * interval '1 millisecond'))
    UPDATE accounts SET policy_version = 1 WHERE id = ${accountId}::uuid`;
}

async function postponedToTomorrow(party: Party) {
  const { callId, admitToken } = await taken(party);
  await world.schedules.postpone({ callId, admitToken, waitingFor: 'window', dueAtMs: Date.now() + DAY_MS });
  const [row] = await world.database.side.$queryRaw<{ dueMs: number; entries: number }[]>`
    SELECT epoch_ms(s.due_at) AS "dueMs",
      (SELECT count(*)::int FROM call_events e WHERE e.call_id = s.call_id AND e.type = 'waiting') AS entries
    FROM call_schedules s WHERE s.call_id = ${callId}::uuid`;
  invariant(row, 'the call is scheduled');
  return { inMs: row.dueMs - Date.now(), entries: row.entries };
}

test('a call that a turn has while another policy is saved is looked at again soon, whatever the earlier one said', async () => {
  const party = await world.party();
  // Not before the call is postponed, however long that takes.
  await savePolicyAt(party, DAY_MS);
  const { inMs, entries } = await postponedToTomorrow(party);
  expect(inMs).toBeLessThan(2_001);
  expect(entries).toBe(0);
});

test('a policy that has stood for a while postpones a call until it says, and the timeline has that', async () => {
  const party = await world.party();
  await savePolicyAt(party, -60_000);
  const { inMs, entries } = await postponedToTomorrow(party);
  expect(inMs).toBeGreaterThan(DAY_MS / 2);
  expect(entries).toBe(1);
});

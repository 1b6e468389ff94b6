import type { LiveTurn } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginTogether } from '../../test/begin-together.ts';
import { createWorld, settlementOf, type World } from '../../test/world.ts';
import { Prisma } from '../generated/client.ts';
import { createDriveStore } from './drive-store.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const TURN: LiveTurn = {
  index: 0,
  replaces: [],
  role: 'callee',
  text: 'Yes.',
  start_ms: 0,
  end_ms: 400,
  source: 'stt',
  interrupted: false,
};

async function countOf(count: Prisma.Sql): Promise<number> {
  const [row] = await world.database.side.$queryRaw<{ count: number }[]>(count);
  return row?.count ?? 0;
}

const WAITING = Prisma.sql`SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const turnsOf = (callId: string) =>
  countOf(Prisma.sql`SELECT count(*)::int AS count FROM call_turns WHERE call_id = ${callId}::uuid`);

test.each(['before', 'after'])('a renewal that is written %s the settlement leaves no turns', async (order) => {
  const call = await world.claimed(await world.party());
  const token = { callId: call.id, epoch: call.epoch };
  // Another store: the group commit of one store would not send the second statement before the first is through.
  const other = createDriveStore(world.database);
  const renew = () => world.drives.renewLease({ ...token, leaseMs: 60_000, turns: [TURN] });
  const settle = () => other.settle(settlementOf(call));
  const [first, second] = order === 'before' ? [renew, settle] : [settle, renew];
  // Both begin before either can write: what the second sees is older than what the first writes.
  const outcomes = await beginTogether<{ readonly kind: string }>(
    world.database,
    Prisma.sql`SELECT FROM calls WHERE id = ${call.id}::uuid FOR UPDATE`,
    [
      first,
      async () => {
        await expect.poll(() => countOf(WAITING)).toBe(1);
        return second();
      },
    ],
  );
  expect(outcomes.map(({ kind }) => kind)).toEqual(order === 'before' ? ['written', 'settled'] : ['settled', 'fenced']);
  expect(await turnsOf(call.id)).toBe(0);
});

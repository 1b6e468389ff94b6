import type { GateHold, HoldPage, HoldPosition, HoldReader } from '@outdial/calls';
import { micros } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

interface HoldRow extends Omit<GateHold, 'holdMicros'> {
  readonly holdMicros: bigint;
  readonly createdAtMs: number;
}

const HELD = Prisma.sql`
  SELECT c.id, c.account_id, c.reservation_id, c.hold_micros, c.created_at FROM calls c
  WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL`;

/** Walks along the index of open calls, `calls_held_idx`. */
export function createHoldReader({ side }: Database): HoldReader {
  return {
    async openHolds(after, limit): Promise<HoldPage> {
      const rows = await side.$queryRaw<HoldRow[]>`
        SELECT h.id AS "callId", h.account_id AS "accountId", h.reservation_id AS "reservationId",
          h.hold_micros AS "holdMicros", epoch_ms(h.created_at) AS "createdAtMs"
        FROM (${pageAfter(after, limit)}) h LIMIT ${limit}::int`;
      const last = rows.at(-1);
      const isOver = last === undefined || rows.length < limit;
      return {
        holds: rows.map((row) => toHold(row)),
        next: isOver ? null : { accountId: last.accountId, createdAtMs: last.createdAtMs, id: last.callId },
      };
    },
    async otherHolds() {
      const rows = await side.$queryRaw<Omit<HoldRow, 'createdAtMs'>[]>`
        SELECT t.id AS "callId", t.account_id AS "accountId", t.reservation_id AS "reservationId",
          t.hold_micros AS "holdMicros"
        FROM agent_tries t WHERE t.ended_at IS NULL
        UNION ALL
        SELECT t.id, c.account_id, t.reservation_id, t.hold_micros
        FROM transfer_legs t JOIN calls c ON c.id = t.call_id WHERE t.settled_at IS NULL`;
      return rows.map((row) => toHold(row));
    },
  };
}

/** The rest of an account's calls, then those of the next accounts: each part is a range of the index. */
function pageAfter(after: HoldPosition | null, limit: number): Prisma.Sql {
  const inOrder = Prisma.sql`ORDER BY c.account_id, c.created_at DESC, c.id DESC LIMIT ${limit}::int`;
  if (after === null) return Prisma.sql`${HELD} ${inOrder}`;
  return Prisma.sql`
    (${HELD} AND c.account_id = ${after.accountId}::uuid
       AND (c.created_at, c.id) < (from_epoch_ms(${after.createdAtMs}::bigint), ${after.id}::uuid)
     ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}::int)
    UNION ALL
    (${HELD} AND c.account_id > ${after.accountId}::uuid ${inOrder})`;
}

function toHold({ callId, accountId, reservationId, holdMicros }: Omit<HoldRow, 'createdAtMs'>): GateHold {
  return { callId, accountId, reservationId, holdMicros: micros(holdMicros) };
}

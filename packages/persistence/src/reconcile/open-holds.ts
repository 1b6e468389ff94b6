import type { GateHold, HoldPage, HoldPosition, HoldReader } from '@outdial/calls';
import { micros, type AccountId, type CallId, type ReservationId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

interface HoldRow extends Omit<GateHold, 'holdMicros'> {
  readonly holdMicros: bigint;
}

const HELD = Prisma.sql`
  SELECT c.id, c.account_id, c.reservation_id, c.hold_micros, c.created_at FROM calls c
  WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL`;

/** A hold as JSON, and when its call was created. Amounts are far below 2^53. */
type PackedHold = readonly [
  callId: CallId,
  accountId: AccountId,
  reservationId: ReservationId,
  holdMicros: number,
  createdAtMs: number,
];

/** Walks along the index of open calls, `calls_held_idx`. */
export function createHoldReader({ side }: Database): HoldReader {
  return {
    async openHolds(after, limit): Promise<HoldPage> {
      // One value instead of rows: the walk reads each open call several times a minute, and what rows leave behind is not
      // collected until the process is large.
      const [page] = await side.$queryRaw<{ holds: readonly PackedHold[] }[]>`
        SELECT COALESCE(json_agg(json_build_array(h.id, h.account_id, h.reservation_id, h.hold_micros, epoch_ms(h.created_at))),
          '[]') AS holds
        FROM (SELECT * FROM (${pageAfter(after, limit)}) p LIMIT ${limit}::int) h`;
      const holds = page?.holds ?? [];
      const last = holds.at(-1);
      const isOver = last === undefined || holds.length < limit;
      return {
        holds: holds.map(([callId, accountId, reservationId, holdMicros]) => ({
          callId,
          accountId,
          reservationId,
          holdMicros: micros(holdMicros),
        })),
        next: isOver ? null : { id: last[0], accountId: last[1], createdAtMs: last[4] },
      };
    },
    async otherHolds() {
      const rows = await side.$queryRaw<HoldRow[]>`
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

function toHold({ callId, accountId, reservationId, holdMicros }: HoldRow): GateHold {
  return { callId, accountId, reservationId, holdMicros: micros(holdMicros) };
}

import type { GateSnapshot, GateToken } from '@outdial/calls';
import { micros, type AccountId, type CallId, type ReservationId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';

/** Amounts and versions as JSON numbers: all of them stay below 2^53. */
interface SnapshotRow {
  readonly capacity: number;
  readonly capacityVersion: number;
  readonly holds: readonly {
    readonly callId: CallId;
    readonly accountId: AccountId;
    readonly reservationId: ReservationId;
    readonly holdMicros: number;
  }[];
  readonly accounts: readonly {
    readonly accountId: AccountId;
    readonly balanceMicros: number;
    readonly balanceVersion: number;
    readonly capacity: number;
    readonly capacityVersion: number;
  }[];
}

/**
 * Open calls, their second legs and tries, their accounts and the limits at one moment. It must stay one statement: at READ COMMITTED each statement
 * has its own snapshot, and a call that is settled between two of them would be both charged and held.
 */
export async function readSnapshot({ side }: Database, token: GateToken): Promise<GateSnapshot> {
  const [row] = await side.$queryRaw<SnapshotRow[]>`
    WITH open AS MATERIALIZED (
      SELECT c.id, c.account_id, c.reservation_id, c.hold_micros FROM calls c WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL
      UNION ALL
      SELECT t.id, c.account_id, t.reservation_id, t.hold_micros
      FROM transfer_legs t JOIN calls c ON c.id = t.call_id WHERE t.settled_at IS NULL
      UNION ALL
      SELECT t.id, t.account_id, t.reservation_id, t.hold_micros FROM agent_tries t WHERE t.ended_at IS NULL
    )
    SELECT s.capacity, s.capacity_version::double precision AS "capacityVersion",
      (SELECT COALESCE(json_agg(json_build_object(
         'callId', o.id, 'accountId', o.account_id, 'reservationId', o.reservation_id, 'holdMicros', o.hold_micros)), '[]')
       FROM open o) AS holds,
      (SELECT COALESCE(json_agg(json_build_object(
         'accountId', a.id, 'balanceMicros', w.balance_micros, 'balanceVersion', w.version,
         'capacity', a.capacity, 'capacityVersion', a.capacity_version)), '[]')
       FROM accounts a JOIN wallets w ON w.account_id = a.id
       WHERE a.id IN (SELECT o.account_id FROM open o)) AS accounts
    FROM system_settings s`;
  invariant(row, 'system_settings has its row');
  return {
    token,
    system: { capacity: row.capacity, capacityVersion: row.capacityVersion },
    accounts: row.accounts.map((account) => ({ ...account, balanceMicros: micros(account.balanceMicros) })),
    holds: row.holds.map((hold) => ({ ...hold, holdMicros: micros(hold.holdMicros) })),
  };
}

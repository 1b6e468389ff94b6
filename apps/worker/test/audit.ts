import type { Stage } from './stage.ts';

export interface Audit {
  readonly openCalls: number;
  /** Balance minus top-ups and charges: 0 if every cent is accounted for. */
  readonly ledgerDriftMicros: bigint;
  /** Ended calls that are not settled exactly once. */
  readonly wrongSettlements: number;
  /** Calls whose cost exceeds their hold. */
  readonly overHold: number;
  /** Calls that went to `dialing` more than once. */
  readonly dialledTwice: number;
  readonly gateHolds: number;
  /** The gate's balance minus that of Postgres. */
  readonly gateBalanceDriftMicros: bigint;
}

/** The invariants once everything is at rest. */
export const AT_REST: Audit = {
  openCalls: 0,
  ledgerDriftMicros: 0n,
  wrongSettlements: 0,
  overHold: 0,
  dialledTwice: 0,
  gateHolds: 0,
  gateBalanceDriftMicros: 0n,
};

/** Reads both stores from outside, with its own statements. */
export async function audit(stage: Stage): Promise<Audit> {
  const [row] = await stage.database.side.$queryRaw<Omit<Audit, 'gateHolds' | 'gateBalanceDriftMicros'>[]>`
    SELECT
      (SELECT count(*)::int FROM calls WHERE status <> 'ended') AS "openCalls",
      (SELECT sum(balance_micros) FROM wallets)::bigint - (SELECT sum(amount_micros) FROM ledger_entries)::bigint
        AS "ledgerDriftMicros",
      (SELECT count(*)::int FROM calls c WHERE status = 'ended' AND
        (SELECT count(*) FROM ledger_entries l WHERE l.call_id = c.id AND l.amount_micros = -c.cost_micros) <> 1)
        AS "wrongSettlements",
      (SELECT count(*)::int FROM calls WHERE cost_micros > hold_micros) AS "overHold",
      (SELECT count(*)::int FROM (
        SELECT call_id FROM call_events WHERE type = 'dialing' GROUP BY call_id HAVING count(*) > 1) twice)
        AS "dialledTwice"`;
  if (!row) throw new Error('Postgres did not answer');
  return { ...row, ...(await auditGate(stage)) };
}

async function auditGate(stage: Stage): Promise<Pick<Audit, 'gateHolds' | 'gateBalanceDriftMicros'>> {
  let gateHolds = 0;
  for await (const holds of stage.gate.holds()) gateHolds += holds.length;
  const [wallet] = await stage.database.side.$queryRaw<{ balanceMicros: bigint }[]>`
    SELECT balance_micros AS "balanceMicros" FROM wallets WHERE account_id = ${stage.accountId}::uuid`;
  let gateBalanceDriftMicros = 0n;
  for await (const accounts of stage.gate.accounts()) {
    for (const account of accounts) gateBalanceDriftMicros += account.balanceMicros - (wallet?.balanceMicros ?? 0n);
  }
  return { gateHolds, gateBalanceDriftMicros };
}

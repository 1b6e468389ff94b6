import type { Micros } from '@outdial/contracts';
import { Prisma } from '@outdial/persistence';

/** What a new account gets where it can call test numbers alone. */
export interface Trial {
  /** 0: no credit, and the system's number all the same. */
  readonly creditMicros: Micros;
}

/** The credit's key in the ledger. It is unique for an account, so that no account is given it twice. */
const TRIAL_KEY = 'trial-credit';

/**
 * The parts of a sign-up that give the trial. They follow a part `account`, which has the new account's id, and precede
 * its use: `trial` has a row if the trial is given. `isOffered` is the operator's word that the telephone network is a
 * simulated one; a trunk that leads anywhere but to the network that `npm start` runs beside the worker outweighs it,
 * since strangers would otherwise call real telephones on the operator's bill.
 */
export function trialParts(trial: Trial | null) {
  const isOffered = trial !== null;
  const credit = trial?.creditMicros ?? 0n;
  return {
    trial: Prisma.sql`trial AS MATERIALIZED (
      SELECT ${credit}::bigint AS micros WHERE ${isOffered} AND NOT EXISTS (
        SELECT FROM trunks t WHERE t.enabled
          AND NOT (t.name = 'callee' AND t.outbound_proxy IS NULL AND t.uri ~ '^sip:127[.][0-9.]+(:[0-9]+)?$')))`,
    ledger: Prisma.sql`trial_entry AS (
      INSERT INTO ledger_entries (account_id, kind, amount_micros, idempotency_key)
      SELECT a.id, 'top_up', t.micros, ${TRIAL_KEY} FROM account a, trial t WHERE t.micros > 0
      RETURNING account_id, amount_micros
    ), trial_audit AS (
      INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
      SELECT 'system', 'wallet.trial_credit', 'wallet', e.account_id::text,
             jsonb_build_object('amount_micros', e.amount_micros::text, 'idempotency_key', ${TRIAL_KEY}::text)
      FROM trial_entry e)`,
  };
}

import type { Micros } from '@outdial/contracts';
import { Prisma } from '@outdial/persistence';

/** What a new account gets on an installation where only test numbers can be called. */
export interface Trial {
  /** 0 means no credit; the account still gets the system number. */
  readonly creditMicros: Micros;
}

/** The idempotency key in the ledger. It is unique per account, so an account gets the credit once. */
const TRIAL_KEY = 'trial-credit';

/**
 * The CTEs of a sign-up that grant the trial. They follow a CTE `account`, which has the new account's id, and precede
 * the use of `trial`, which has a row if the trial is granted. The operator configures that the telephone network is
 * simulated; an enabled trunk to any other network than the one that `npm start` runs beside the worker overrides this,
 * because strangers could otherwise call real telephones at the operator's expense.
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

import type { OwnContext } from './own-context.ts';

/** An account's first steps; each is true once it was done. */
export interface FirstRun {
  readonly agent: boolean;
  /** The account has a number to call from: its own, or the system's if it may use it. */
  readonly number: boolean;
  readonly funds: boolean;
  readonly key: boolean;
  readonly call: boolean;
  /** This member dismissed the checklist. */
  readonly dismissed: boolean;
}

/** Index lookups that stop at the first row: as fast for an account with a million calls. */
export async function readFirstRun({ database: { side }, accountId }: OwnContext, userId: string): Promise<FirstRun> {
  const [row] = await side.$queryRaw<FirstRun[]>`
    SELECT
      EXISTS (SELECT FROM agents g WHERE g.account_id = a.id)
        OR EXISTS (SELECT FROM agent_grants t WHERE t.account_id = a.id) AS agent,
      EXISTS (SELECT FROM phone_numbers n WHERE n.active AND n.outbound_enabled
        AND (n.account_id = a.id OR n.account_id IS NULL AND a.may_use_system_number)) AS number,
      w.balance_micros > 0 OR EXISTS (SELECT FROM ledger_entries e WHERE e.account_id = a.id) AS funds,
      EXISTS (SELECT FROM api_keys k WHERE k.account_id = a.id) AS key,
      EXISTS (SELECT FROM calls c WHERE c.account_id = a.id)
        OR EXISTS (SELECT FROM call_totals t WHERE t.account_id = a.id) AS call,
      EXISTS (SELECT FROM memberships m WHERE m.account_id = a.id AND m.user_id = ${userId}::uuid
        AND m.first_run_dismissed_at IS NOT NULL) AS dismissed
    FROM accounts a JOIN wallets w ON w.account_id = a.id WHERE a.id = ${accountId}::uuid`;
  return row ?? { agent: false, number: false, funds: false, key: false, call: false, dismissed: true };
}

/** Per member. */
export async function setFirstRunDismissed(
  { database: { side }, accountId }: OwnContext,
  userId: string,
  isDismissed: boolean,
): Promise<void> {
  await side.$executeRaw`
    UPDATE memberships SET first_run_dismissed_at = CASE WHEN ${isDismissed} THEN clock_timestamp() END
    WHERE account_id = ${accountId}::uuid AND user_id = ${userId}::uuid`;
}

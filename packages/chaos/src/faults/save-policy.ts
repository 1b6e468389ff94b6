import { OPEN_POLICY, type CallingPolicySettings } from '@outdial/contracts';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';

/** Saves the account's next calling policy. @returns when it was in force at the latest, by the clock of this machine */
export async function savePolicy(
  { sql }: Pick<Stack, 'sql'>,
  { id }: Pick<Account, 'id'>,
  settings: Partial<CallingPolicySettings>,
): Promise<number> {
  await sql(
    `WITH raised AS (
       UPDATE accounts SET policy_version = policy_version + 1 WHERE id = $1 RETURNING id, policy_version
     )
     INSERT INTO calling_policies (account_id, version, settings, saved_by)
     SELECT r.id, r.policy_version, $2, 'chaos' FROM raised r`,
    [id, JSON.stringify({ ...OPEN_POLICY, ...settings })],
  );
  return Date.now();
}

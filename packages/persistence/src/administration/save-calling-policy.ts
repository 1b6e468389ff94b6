import type { AccountId, CallingPolicySettings } from '@outdial/contracts';
import { POLICY_COLUMNS, type CallingPolicyRecord } from '../policies/policy-record.ts';
import { readPolicyInForce, type PolicyInForce } from '../policies/read-policies.ts';
import { auditPart, type AdministrationContext } from './audit.ts';

export interface SavedPolicy extends PolicyInForce {
  /** Whether it differs from the policy that was in force. */
  readonly isNew: boolean;
}

/**
 * Puts a policy in force: as the next version, unless it is the one in force already. Of two at once, the second follows the
 * first. Null if there is no such account.
 */
export async function saveCallingPolicy(
  context: AdministrationContext,
  accountId: AccountId,
  settings: CallingPolicySettings,
): Promise<SavedPolicy | null> {
  for (;;) {
    const before = await readPolicyInForce(context.database, accountId);
    if (before === null) return null;
    if (await isSame(context, before.policy, settings)) return { ...before, isNew: false };
    const policy = await addVersion(context, accountId, settings, before.policy.version);
    if (policy !== null) return { policy, floor: before.floor, isNew: true };
  }
}

/** Postgres compares them: the order of fields says nothing. */
async function isSame(
  { database: { side } }: AdministrationContext,
  before: CallingPolicyRecord,
  settings: CallingPolicySettings,
): Promise<boolean> {
  const [row] = await side.$queryRaw<{ isSame: boolean }[]>`
    SELECT ${JSON.stringify(before.settings)}::jsonb = ${JSON.stringify(settings)}::jsonb AS "isSame"`;
  return row?.isSame === true;
}

/** Null if another version was saved first: both change the row of the account, and the later one waits for its lock. */
async function addVersion(
  { database: { side }, actor }: AdministrationContext,
  accountId: AccountId,
  settings: CallingPolicySettings,
  baseVersion: number,
): Promise<CallingPolicyRecord | null> {
  const data = { account_id: accountId, version: baseVersion + 1, pack: settings.pack };
  const [saved] = await side.$queryRaw<CallingPolicyRecord[]>`
    WITH changed AS (
      UPDATE accounts a SET policy_version = a.policy_version + 1
      WHERE a.id = ${accountId}::uuid AND a.policy_version = ${baseVersion}::int RETURNING a.id, a.policy_version
    ), ${auditPart(actor, { action: 'policy.save', subjectId: accountId, data })}, p AS (
      INSERT INTO calling_policies (account_id, version, settings, saved_by, saved_at)
      SELECT c.id, c.policy_version, ${JSON.stringify(settings)}::jsonb, ${actor}, clock_timestamp() FROM changed c
      RETURNING *
    )
    SELECT ${POLICY_COLUMNS} FROM p`;
  return saved ?? null;
}

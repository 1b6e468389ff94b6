import { OPEN_POLICY, type AccountId, type CallingPolicySettings } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { POLICY_COLUMNS, type CallingPolicyRecord } from './policy-record.ts';

/** What binds the calls of an account. */
export interface PolicyInForce {
  /** Version 0 without a rule, if the account never had one. */
  readonly policy: CallingPolicyRecord;
  /** The operator's rules, which hold besides. Null: there are none. */
  readonly floor: CallingPolicySettings | null;
}

type Nullable<Row> = { readonly [Field in keyof Row]: Row[Field] | null };
type InForceRow = Nullable<CallingPolicyRecord> & Pick<PolicyInForce, 'floor'>;

/** Null if there is no such account. */
export async function readPolicyInForce(
  { side }: Pick<Database, 'side'>,
  accountId: AccountId,
): Promise<PolicyInForce | null> {
  const [row] = await side.$queryRaw<InForceRow[]>`
    SELECT ${POLICY_COLUMNS}, (SELECT s.policy_floor FROM system_settings s WHERE s.id = 1) AS floor
    FROM accounts a LEFT JOIN calling_policies p ON p.account_id = a.id AND p.version = a.policy_version
    WHERE a.id = ${accountId}::uuid`;
  if (!row) return null;
  const { floor, version, settings, savedBy, savedAtMs } = row;
  return { policy: { version: version ?? 0, settings: settings ?? OPEN_POLICY, savedBy, savedAtMs }, floor };
}

export interface PolicyVersionPage {
  /** The last version of the previous page. */
  readonly before: number | null;
  readonly limit: number;
}

/** Newest first. Empty for an account that never had a policy. */
export function listPolicyVersions(
  { side }: Pick<Database, 'side'>,
  accountId: AccountId,
  { before, limit }: PolicyVersionPage,
): Promise<CallingPolicyRecord[]> {
  const isOlder = before === null ? Prisma.empty : Prisma.sql`AND p.version < ${before}::int`;
  return side.$queryRaw<CallingPolicyRecord[]>`
    SELECT ${POLICY_COLUMNS} FROM calling_policies p
    WHERE p.account_id = ${accountId}::uuid ${isOlder} ORDER BY p.version DESC LIMIT ${limit}::int`;
}

import type { CallingPolicySettings } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';

/** A version of an account's calling policy. */
export interface CallingPolicyRecord {
  /** 0: the account never had one. */
  readonly version: number;
  readonly settings: CallingPolicySettings;
  /** The name of a member or a key, `operator`, or `default`. Null for version 0. */
  readonly savedBy: string | null;
  readonly savedAtMs: number | null;
}

/**
 * Of a row `p` of `calling_policies`. Customers learn that an operator saved it, but not who. Null where there is no row.
 */
export const POLICY_COLUMNS = Prisma.sql`
  p.version, p.settings, epoch_ms(p.saved_at) AS "savedAtMs",
  CASE WHEN p.saved_by = 'default' THEN 'default' WHEN p.version IS NOT NULL THEN COALESCE(
    (SELECT u.name FROM users u JOIN memberships m ON m.user_id = u.id AND m.account_id = p.account_id
     WHERE p.saved_by = 'user:' || u.id::text),
    (SELECT k.name FROM api_keys k WHERE k.account_id = p.account_id AND p.saved_by = 'key:' || k.id::text),
    'operator') END AS "savedBy"`;

import type { AccountId, CallingPolicySettings, E164 } from '@outdial/contracts';
import { calleePlace, windowAt, zonesAt, type CalleePlace, type ZoneWindow } from '@outdial/policies';
import type { Database } from '../database.ts';
import { policiesInForce } from './policies-in-force.ts';

export interface PolicyQuestion {
  readonly number: E164;
  /** Null: now. */
  readonly atMs: number | null;
  /** What the request says, by its name in `@outdial/numbering`. */
  readonly givenZone: string | null;
}

/** What the policy and the operator's floor say of a number. Do-not-call lists are not asked. */
export interface PolicyAnswer {
  readonly verdict: 'allowed' | 'outside_calling_window' | 'frequency_capped';
  readonly zones: readonly ZoneWindow[];
  readonly place: CalleePlace;
  /** Null: the hours are open, or do not open within 90 days. */
  readonly opensAtMs: number | null;
  /** Null: the hours are closed, or do not close within 90 days. */
  readonly closesAtMs: number | null;
  /** Null: no cap is reached. */
  readonly cappedUntilMs: number | null;
  readonly policyVersion: number;
}

interface AskedRow {
  readonly atMs: number;
  readonly policyVersion: number;
  readonly policy: CallingPolicySettings | null;
  readonly policyFloor: CallingPolicySettings | null;
  readonly cappedUntilMs: number | null;
}

/** What a request for a call at that moment would be answered. Null if there is no such account. */
export async function checkPolicy(
  { side }: Pick<Database, 'side'>,
  accountId: AccountId,
  { number, atMs, givenZone }: PolicyQuestion,
): Promise<PolicyAnswer | null> {
  const [row] = await side.$queryRaw<AskedRow[]>`
    SELECT epoch_ms(t.at) AS "atMs", a.policy_version AS "policyVersion", p.settings AS policy,
      (SELECT s.policy_floor FROM system_settings s WHERE s.id = 1) AS "policyFloor",
      (SELECT epoch_ms(max(c.until)) FROM caps_reached(a.id, ${number}, t.at, NULL) c) AS "cappedUntilMs"
    FROM (SELECT COALESCE(from_epoch_ms(${atMs}::bigint), clock_timestamp()) AS at OFFSET 0) t
    CROSS JOIN accounts a LEFT JOIN calling_policies p ON p.account_id = a.id AND p.version = a.policy_version
    WHERE a.id = ${accountId}::uuid`;
  if (!row) return null;
  const policies = policiesInForce(accountId, row);
  const place = calleePlace(number, givenZone);
  const window = windowAt(policies, place, row.atMs);
  const isClosed = window.kind === 'closed';
  return {
    verdict: isClosed ? 'outside_calling_window' : row.cappedUntilMs === null ? 'allowed' : 'frequency_capped',
    zones: zonesAt(policies, place, row.atMs),
    place,
    opensAtMs: isClosed ? window.opensAtMs : null,
    closesAtMs: isClosed ? null : window.untilMs,
    cappedUntilMs: row.cappedUntilMs,
    policyVersion: row.policyVersion,
  };
}

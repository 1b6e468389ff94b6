import type { AccountId, CallingPolicySettings } from '@outdial/contracts';
import type { PoliciesInForce } from '@outdial/policies';

/** As an account's row names them. Version 0 has no settings. */
export interface StoredPolicies {
  readonly policyVersion: number;
  readonly policy: CallingPolicySettings | null;
  readonly policyFloor: CallingPolicySettings | null;
}

interface KnownPolicies {
  readonly policyVersion: number;
  readonly policies: PoliciesInForce;
}

/** Of so many accounts. */
const MOST_KNOWN = 2_000;
const NONE: PoliciesInForce = Object.freeze({ policy: null, floor: null });
const known = new Map<AccountId, KnownPolicies>();
let floorInForce: { readonly text: string; readonly settings: CallingPolicySettings } | null = null;

/**
 * The same objects for as long as nothing changes: an account is read every second, and what was computed of its policies is
 * kept by them.
 */
export function policiesInForce(
  accountId: AccountId,
  { policyVersion, policy, policyFloor }: StoredPolicies,
): PoliciesInForce {
  const floor = policyFloor && sameFloor(policyFloor);
  if (policy === null && floor === null) return NONE;
  const before = known.get(accountId);
  if (before?.policyVersion === policyVersion && before.policies.floor === floor) return before.policies;
  const policies = { policy, floor };
  known.delete(accountId);
  known.set(accountId, { policyVersion, policies });
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return policies;
}

function sameFloor(settings: CallingPolicySettings): CallingPolicySettings {
  const text = JSON.stringify(settings);
  if (floorInForce?.text !== text) floorInForce = { text, settings };
  return floorInForce.settings;
}

import type { CallingPolicySettings } from '@outdial/contracts';
import type { CalleePlace } from './callee-place.ts';

/** What holds for an account's calls. Null is no rule. Never changed: what is computed is kept by the objects. */
export interface PoliciesInForce {
  /** The account's own. */
  readonly policy: CallingPolicySettings | null;
  /** The operator's, which holds besides. */
  readonly floor: CallingPolicySettings | null;
}

export function settingsOf({ policy, floor }: PoliciesInForce): readonly CallingPolicySettings[] {
  return [policy, floor].filter((settings) => settings !== null);
}

/** Whether the rules close any hour. */
export function hasHours({ windows, closed_days: closedDays }: CallingPolicySettings): boolean {
  return Object.keys(windows).length > 0 || closedDays.length > 0;
}

/** The zones that must all be open: the given one alone only where the account and the operator both trust it. */
export function judgedZones(policies: PoliciesInForce, { zones, givenZone }: CalleePlace): readonly string[] {
  if (givenZone === null) return zones;
  const rules = settingsOf(policies);
  if (rules.length > 0 && rules.every((settings) => settings.trust_given_zone)) return [givenZone];
  return zones.includes(givenZone) ? zones : [...zones, givenZone];
}

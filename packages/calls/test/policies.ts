import { OPEN_POLICY, type CallingPolicySettings } from '@outdial/contracts';
import type { PoliciesInForce } from '@outdial/policies';

/** The same times each day, by the callee's clock. */
export function openDaily(...times: readonly string[]): CallingPolicySettings {
  const each = [...times];
  const week = { mon: each, tue: each, wed: each, thu: each, fri: each, sat: each, sun: each };
  return { ...OPEN_POLICY, windows: { default: week } };
}

/** The account's own policy, without a floor. */
export function own(policy: CallingPolicySettings): PoliciesInForce {
  return { policy, floor: null };
}

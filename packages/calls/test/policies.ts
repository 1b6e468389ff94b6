import { OPEN_POLICY, type CallingPolicySettings } from '@outdial/contracts';
import { everyDay, type PoliciesInForce } from '@outdial/policies';

/** The same times each day, by the callee's clock. */
export function openDaily(...times: readonly string[]): CallingPolicySettings {
  return { ...OPEN_POLICY, windows: { default: everyDay(...times) } };
}

/** The account's own policy, without a floor. */
export function own(policy: CallingPolicySettings): PoliciesInForce {
  return { policy, floor: null };
}

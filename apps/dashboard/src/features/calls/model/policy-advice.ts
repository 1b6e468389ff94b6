import type { CallingPolicyCheckBody } from '@outdial/contracts';
import type { ScheduleValues } from './placement-schedule.ts';

export const WAIT_FOR_HOURS = 'Wait until the hours open';

/** What becomes of a call that the policy does not allow at its time, and what the user can do. */
export function policyAdvice(
  {
    verdict,
    opens_at: opensAt,
    capped_until: cappedUntil,
  }: Pick<CallingPolicyCheckBody, 'verdict' | 'opens_at' | 'capped_until'>,
  { when, waits_for_hours: waits }: Pick<ScheduleValues, 'when' | 'waits_for_hours'>,
): string {
  const isLater = when === 'later';
  if (verdict === 'frequency_capped') {
    if (isLater) return cappedUntil === null ? 'The call is refused.' : 'The call waits until then.';
    return 'A call now is refused: schedule it for later.';
  }
  if (opensAt === null) return 'The call is refused.';
  if (isLater || waits) return 'The call waits until then.';
  return `A call now is refused, unless you choose “${WAIT_FOR_HOURS}”.`;
}

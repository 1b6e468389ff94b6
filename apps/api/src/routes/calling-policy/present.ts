import type { CallingPolicyBody, CallingPolicyCheckBody } from '@outdial/contracts';
import type { CallingPolicyRecord, PolicyAnswer, PolicyInForce } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

export function presentPolicyInForce({ policy, floor }: PolicyInForce) {
  return { calling_policy: presentPolicyVersion(policy), floor };
}

export function presentPolicyVersion({
  version,
  settings,
  savedBy,
  savedAtMs,
}: CallingPolicyRecord): CallingPolicyBody {
  return { ...settings, version, saved_by: savedBy, saved_at: timestampOrNull(savedAtMs) };
}

export function presentPolicyCheck(number: string, answer: PolicyAnswer): CallingPolicyCheckBody {
  const { verdict, zones, place, opensAtMs, closesAtMs, cappedUntilMs, policyVersion } = answer;
  return {
    number,
    verdict,
    zones: zones.map(({ zone, localTime, isOpen }) => ({ zone, local_time: localTime, open: isOpen })),
    regions: [...place.regions],
    certain: place.certain,
    opens_at: timestampOrNull(opensAtMs),
    closes_at: timestampOrNull(closesAtMs),
    capped_until: timestampOrNull(cappedUntilMs),
    policy_version: policyVersion,
  };
}

function timestampOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : timestamp(timeMs);
}

import type { SuppressionBody } from '@outdial/contracts';
import type { SuppressionCheck, SuppressionRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

export function presentSuppression({ callId, createdAtMs, ...record }: SuppressionRecord): SuppressionBody {
  const { id, number, kind, source, reason } = record;
  return { id, number, kind, source, reason, call_id: callId, created_at: timestamp(createdAtMs) };
}

export function presentCheck({ number, by, suppression }: SuppressionCheck) {
  return {
    number,
    suppressed: by !== null,
    by,
    suppression: suppression === null ? null : presentSuppression(suppression),
  };
}

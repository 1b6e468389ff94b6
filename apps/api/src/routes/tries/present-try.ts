import { microsToDecimal, type TryBody } from '@outdial/contracts';
import type { TryRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

export function presentTry(record: TryRecord, currency: string): TryBody {
  const { endedReason, isClaimed } = record;
  const begun = isClaimed ? 'running' : 'waiting';
  return {
    id: record.tryId,
    agent_id: record.agentId,
    agent_version: record.agentVersion,
    medium: record.medium,
    status: endedReason === null ? begun : 'ended',
    ended_reason: endedReason,
    cost: microsToDecimal(record.costMicros),
    currency,
    created_at: timestamp(record.createdAtMs),
    expires_at: timestamp(record.expiresAtMs),
  };
}

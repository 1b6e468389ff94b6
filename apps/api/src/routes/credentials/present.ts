import type { CredentialBody } from '@outdial/contracts';
import type { CredentialRecord } from '@outdial/persistence';
import { timestamp, timestampOrNull } from '@outdial/presentation';

export function presentCredential(record: CredentialRecord): CredentialBody {
  return {
    id: record.id,
    provider: record.provider,
    name: record.name,
    base_url: record.baseUrl,
    region: record.region,
    shown_suffix: record.shownSuffix,
    max_concurrent_calls: record.maxConcurrentCalls,
    starts_per_second: record.startsPerSecond,
    max_generations: record.maxGenerations,
    created_at: timestamp(record.createdAtMs),
    rotated_at: timestamp(record.rotatedAtMs),
    checked_at: timestampOrNull(record.checkedAtMs),
    check_result: record.checkResult,
  };
}

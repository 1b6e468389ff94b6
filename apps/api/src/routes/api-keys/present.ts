import type { ApiKeyBody } from '@outdial/contracts';
import type { ApiKeyRecord } from '@outdial/persistence';
import { timestamp, timestampOrNull } from '@outdial/presentation';

export function presentApiKey(record: ApiKeyRecord): ApiKeyBody {
  return {
    id: record.id,
    name: record.name,
    shown_prefix: record.shownPrefix,
    scopes: [...record.scopes],
    created_at: timestamp(record.createdAtMs),
    last_used_at: timestampOrNull(record.lastUsedAtMs),
    expires_at: timestampOrNull(record.expiresAtMs),
    revoked_at: timestampOrNull(record.revokedAtMs),
  };
}

import type { PhoneNumberBody } from '@outdial/contracts';
import type { PhoneNumberRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

export function presentPhoneNumber(record: PhoneNumberRecord): PhoneNumberBody {
  return {
    id: record.id,
    number: record.e164,
    active: record.active,
    outbound_enabled: record.outboundEnabled,
    is_default: record.isDefault,
    created_at: timestamp(record.createdAtMs),
  };
}

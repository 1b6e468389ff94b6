import { accountIdSchema, type OperatedNumberBody } from '@outdial/contracts';
import type { OwnedNumberRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

export function presentOperatedNumber(number: OwnedNumberRecord): OperatedNumberBody {
  const { id, e164, active, accountId, accountName } = number;
  return {
    id,
    number: e164,
    account: accountId === null ? null : { id: accountIdSchema.parse(accountId), name: accountName ?? '' },
    active,
    outbound_enabled: number.outboundEnabled,
    is_default: number.isDefault,
    created_at: timestamp(number.createdAtMs),
  };
}

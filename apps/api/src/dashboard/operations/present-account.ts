import { microsToDecimal, type OperatedAccountBody } from '@outdial/contracts';
import type { AccountRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

export function presentOperatedAccount(account: AccountRecord): OperatedAccountBody {
  const { id, name, currency, enabled, capacity } = account;
  return {
    id,
    name,
    currency,
    enabled,
    balance: microsToDecimal(account.balanceMicros),
    capacity,
    max_duration_seconds: account.maxDurationSeconds,
    ring_timeout_seconds: account.ringTimeoutSeconds,
    may_use_system_number: account.mayUseSystemNumber,
    created_at: timestamp(account.createdAtMs),
  };
}

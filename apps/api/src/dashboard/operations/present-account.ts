import { microsToDecimal, type OperatedAccountBody } from '@outdial/contracts';
import type { AccountRecord } from '@outdial/persistence';
import { timestamp } from '../../present/timestamp.ts';

export function presentOperatedAccount(account: AccountRecord): OperatedAccountBody {
  const { id, name, currency, enabled, capacity } = account;
  return {
    id,
    name,
    currency,
    enabled,
    balance: microsToDecimal(account.balanceMicros),
    capacity,
    created_at: timestamp(account.createdAtMs),
  };
}

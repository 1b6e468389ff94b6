import type { AccountId, E164 } from '@outdial/contracts';

/** Whether an account may have a number called by a transfer. */
export interface TransferRules {
  /** Null: it may. Rejects if that is not known now. */
  problemOf(accountId: AccountId, number: E164): Promise<'destination_not_allowed' | 'suppressed' | null>;
}

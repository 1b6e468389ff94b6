import type { AccountId, E164 } from '@outdial/contracts';
import type { Rate } from '../rate-deck.ts';

export type TransferProblem = 'destination_not_allowed' | 'suppressed';

/** Whether an account may have a number called by a transfer. */
export interface TransferRules {
  /** Null: it may. Rejects if that is not known now. */
  problemOf(accountId: AccountId, number: E164): Promise<TransferProblem | null>;
  /** What a second leg to the number costs now. Rejects if that is not known now. */
  rateOf(accountId: AccountId, number: E164): Promise<Rate | TransferProblem>;
}

import type { AccountId, E164 } from '@outdial/contracts';
import { destinationProblem } from '../accept/check-contact.ts';
import type { Directory } from '../ports/directory.ts';
import type { TransferProblem, TransferRules } from '../ports/transfers.ts';
import type { Rate } from '../rate-deck.ts';

export interface TransferRulesDeps {
  readonly directory: Pick<Directory, 'findAccount' | 'rateDeck'>;
  /** Whether the number is on a do-not-call list that binds the account. */
  readonly isSuppressed: (accountId: AccountId, number: E164) => Promise<boolean>;
}

/**
 * The rules of a call for the destination of a transfer. The far end calls it, at the price that the operator has agreed on
 * with the carrier: an account must not reach by a transfer what it may not call.
 */
export function createTransferRules({ directory, isSuppressed }: TransferRulesDeps): TransferRules {
  async function rateOf(accountId: AccountId, number: E164): Promise<Rate | TransferProblem> {
    const account = await directory.findAccount(accountId);
    if (account === null || !account.enabled) return 'destination_not_allowed';
    const deck = await directory.rateDeck(account.currency);
    const rate = deck.find(number);
    if (rate === null || destinationProblem({ account, deck }, number) !== null) return 'destination_not_allowed';
    return (await isSuppressed(accountId, number)) ? 'suppressed' : rate;
  }
  return {
    rateOf,
    async problemOf(accountId, number) {
      const rate = await rateOf(accountId, number);
      return typeof rate === 'string' ? rate : null;
    },
  };
}

import { microsToDecimal, type Micros } from '@outdial/contracts';
import { ApiError } from './api-error.ts';

/** `what` needs the money: the beginning of a sentence. */
export function insufficientFunds(
  what: string,
  funds: { readonly requiredMicros: Micros; readonly availableMicros: Micros; readonly currency: string },
): ApiError {
  const { currency } = funds;
  const required = microsToDecimal(funds.requiredMicros);
  const available = microsToDecimal(funds.availableMicros);
  return new ApiError({
    code: 'insufficient_funds',
    publicMessage: `${what} requires ${required} ${currency}, but only ${available} ${currency} is available. Top up the wallet, or wait for calls to end.`,
    details: { required, available, currency },
  });
}

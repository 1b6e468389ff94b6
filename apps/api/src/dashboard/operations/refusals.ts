import { Fault } from '@outdial/kernel';
import { formatDecimal, MAX_MICROS, micros } from '@outdial/contracts';
import { ApiFault, invalidRequest } from '../../http/fault.ts';

const MORE_THAN_A_WALLET_HOLDS = `would bring the balance above ${formatDecimal(micros(MAX_MICROS))}, the most that an account can hold: top up by less`;

/** What the administration refuses, in the words of the dashboard. Anything else goes on as it came. @throws ApiFault */
export function toApiFault(error: unknown): never {
  if (!(error instanceof Fault)) throw error;
  const { publicMessage } = error;
  switch (error.code) {
    case 'worker_not_found':
      throw new ApiFault({ code: 'worker_not_found', publicMessage, param: 'worker_id', cause: error });
    case 'account_not_found':
      throw new ApiFault({ code: 'account_not_found', publicMessage, param: 'account_id', cause: error });
    case 'idempotency_key_reused':
      throw new ApiFault({ code: 'idempotency_key_reused', publicMessage, param: 'idempotency_key', cause: error });
    case 'balance_out_of_bounds':
      throw invalidRequest([{ param: 'amount', message: MORE_THAN_A_WALLET_HOLDS }]);
    default:
      throw error;
  }
}

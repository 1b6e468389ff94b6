import { Fault } from '@outdial/kernel';
import { ApiFault, invalidRequest } from '../../http/fault.ts';

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
      throw invalidRequest([{ param: 'amount', message: 'is more than an account can hold' }]);
    default:
      throw error;
  }
}

import { CodedError } from '@outdial/kernel';
import { formatDecimal, MAX_MICROS, micros } from '@outdial/contracts';
import { ApiError, invalidRequest } from '../../http/api-error.ts';

const MORE_THAN_A_WALLET_HOLDS = `would raise the balance above its limit of ${formatDecimal(micros(MAX_MICROS))}: top up by less`;

/** The rejections that keep their code, with their parameter. */
const PARAMS = {
  worker_not_found: 'worker_id',
  account_not_found: 'account_id',
  idempotency_key_reused: 'idempotency_key',
  number_exists: 'number',
  trunk_not_found: 'trunk_name',
  trunk_exists: 'name',
  user_not_found: 'user_id',
  request_not_found: 'request_id',
} as const;

const isKept = (code: string): code is keyof typeof PARAMS => Object.hasOwn(PARAMS, code);

/** Rejections of the administration, as the dashboard's errors. Rethrows any other error. @throws ApiError */
export function toApiError(error: unknown): never {
  if (!(error instanceof CodedError)) throw error;
  const { code, publicMessage } = error;
  if (isKept(code)) throw new ApiError({ code, publicMessage, param: PARAMS[code], cause: error });
  switch (code) {
    case 'number_not_found':
      throw new ApiError({ code: 'phone_number_not_found', publicMessage, param: 'number_id', cause: error });
    case 'balance_out_of_bounds':
      throw invalidRequest([{ param: 'amount', message: MORE_THAN_A_WALLET_HOLDS }]);
    default:
      throw error;
  }
}

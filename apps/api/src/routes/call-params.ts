import { callIdSchema } from '@outdial/contracts';
import { z } from 'zod';
import { ApiError } from '../http/api-error.ts';

/** The call that a path names. */
export const callParams = z.object({ call_id: callIdSchema.describe('The call.') });

/** The same for a call that never existed and for another account's: a client cannot tell them apart. */
export function callNotFound(): ApiError {
  return new ApiError({
    code: 'call_not_found',
    publicMessage: 'Your account has no call with this id. Check call_id.',
    param: 'call_id',
  });
}

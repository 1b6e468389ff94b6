import { callIdSchema } from '@outdial/contracts';
import { z } from 'zod';
import { ApiFault } from '../http/fault.ts';

/** The call that a path names. */
export const callParams = z.object({ call_id: callIdSchema.describe('The call.') });

/** Of a call that never was, and of another account's: nobody learns which. */
export function callNotFound(): ApiFault {
  return new ApiFault({
    code: 'call_not_found',
    publicMessage: 'There is no call of this id in your account.',
    param: 'call_id',
  });
}

import { ApiError } from '../../http/api-error.ts';

export function tooManySuppressions(limit: number): ApiError {
  return new ApiError({
    code: 'too_many_suppressions',
    publicMessage: `The account’s do-not-call list may have ${limit} manual entries, and these numbers would be more. None of them was added. Remove entries, or ask your operator.`,
    details: { limit },
  });
}

export function optOutStands(): ApiError {
  return new ApiError({
    code: 'opt_out_stands',
    publicMessage:
      'The person opted out, so the entry stays. If they ask to be called again, ask the operator of the service to lift it.',
    param: 'suppression_id',
  });
}

/** The same for an entry that never existed, that was removed, and for another account's: a client cannot tell them apart. */
export function suppressionNotFound(): ApiError {
  return new ApiError({
    code: 'suppression_not_found',
    publicMessage: 'Your account’s do-not-call list has no entry with this id. List the entries to find it.',
    param: 'suppression_id',
  });
}

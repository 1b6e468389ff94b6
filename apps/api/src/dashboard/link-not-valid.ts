import { ApiError } from '../http/api-error.ts';

/** A link that was never issued, was used, was replaced, or has expired. The response does not say which. */
export function linkNotValid(param: 'token' | 'invitation'): ApiError {
  return new ApiError({
    code: 'link_not_valid',
    publicMessage: 'This link is invalid or has expired. Request a new one.',
    param,
  });
}

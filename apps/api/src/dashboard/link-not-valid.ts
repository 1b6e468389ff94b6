import { ApiFault } from '../http/fault.ts';

/** A link that was never issued, was used, was replaced, or has expired. The response does not say which. */
export function linkNotValid(param: 'token' | 'invitation'): ApiFault {
  return new ApiFault({
    code: 'link_not_valid',
    publicMessage: 'This link is invalid or has expired. Request a new one.',
    param,
  });
}

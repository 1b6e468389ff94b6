import { ApiFault } from '../http/fault.ts';

/** A link that was never given out, was used, was replaced, or is too old: nobody learns which. */
export function linkNotValid(param: 'token' | 'invitation'): ApiFault {
  return new ApiFault({
    code: 'link_not_valid',
    publicMessage: 'This link is not valid, or not any more. Ask for another one.',
    param,
  });
}

import { ApiError } from '../../http/api-error.ts';

/** The link is good, for somebody else than the person who uses it. They hold it, so that its address is no secret. */
export function invitationForAnotherAddress(
  invitedEmail: string,
  usedEmail: string,
  param: 'token' | 'email',
): ApiError {
  return new ApiError({
    code: 'invitation_for_another_address',
    publicMessage: `This invitation is for ${invitedEmail}, not for ${usedEmail}. Use the invited address, or ask for an invitation to yours.`,
    param,
  });
}

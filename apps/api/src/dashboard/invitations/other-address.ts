import { ApiError } from '../../http/api-error.ts';

/** The link is valid, but for another person. Its bearer may see the address, because the link's page shows it. */
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

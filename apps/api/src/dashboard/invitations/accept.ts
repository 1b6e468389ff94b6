import { acceptInvitationSchema, sessionEnvelopeSchema } from '@outdial/contracts';
import type { Identity } from '@outdial/identity';
import { unreachable } from '@outdial/kernel';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { notSignedIn } from '../access-checks.ts';
import { emailNotVerified } from '../email-verification/email-verification.ts';
import { linkNotValid } from '../link-not-valid.ts';
import { presentSession } from '../session/present-session.ts';
import { invitationForAnotherAddress } from './other-address.ts';

const contract = defineDashboardContract({
  access: 'user',
  method: 'POST',
  path: '/api/dashboard/invitations/accept',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: acceptInvitationSchema,
  responses: { 200: sessionEnvelopeSchema },
  errors: [
    'link_not_valid',
    'email_not_verified',
    'invitation_for_another_address',
    'origin_not_allowed',
    'body_too_large',
    'unsupported_media_type',
  ],
});

/** The link is for one address, and the user must have verified that address. */
export function acceptInvitationRoute({
  identity,
}: {
  readonly identity: Pick<Identity, 'invitations' | 'findSession'>;
}): Route {
  return defineDashboardRoute(contract, async ({ principal: { session }, body: { token } }) => {
    // The principal may be half a second old: an ended session must neither accept nor learn the address.
    if ((await identity.findSession(session.digest)) === null) throw notSignedIn();
    const outcome = await identity.invitations.accept(token, session.user.id);
    switch (outcome.kind) {
      case 'joined':
        break;
      case 'link_not_valid':
        throw linkNotValid('token');
      case 'other_address':
        throw invitationForAnotherAddress(outcome.invitedEmail, session.user.email, 'token');
      case 'email_not_verified':
        throw emailNotVerified(session.user.email, 'accept the invitation');
      default:
        return unreachable(outcome);
    }
    const now = await identity.findSession(session.digest);
    if (now === null) throw notSignedIn();
    return { status: 200, body: { session: presentSession(now) } };
  });
}

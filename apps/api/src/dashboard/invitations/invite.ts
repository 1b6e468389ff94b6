import { createdInvitationSchema, createInvitationSchema, dashboardLink } from '@outdial/contracts';
import type { Identity } from '@outdial/identity';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { emailNotVerified } from '../email-verification/email-verification.ts';
import { presentInvitation } from '../members/present-member.ts';
import { withinBounds } from '../../http/account-bounds.ts';
import type { Throttle } from '../throttle.ts';

const contract = defineDashboardContract({
  access: 'owner',
  method: 'POST',
  path: '/api/dashboard/accounts/:account_id/invitations',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createInvitationSchema,
  responses: { 201: createdInvitationSchema },
  errors: ['email_not_verified', 'too_many_attempts', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

export interface InviteDeps {
  readonly identity: Pick<Identity, 'invitations'>;
  /** Limits the e-mails that an account sends to addresses of its choice. */
  readonly invitationThrottle: Throttle;
  readonly maxOpenInvitations: number;
  readonly publicUrl: () => string;
}

export function inviteRoute({ identity, invitationThrottle, maxOpenInvitations, publicUrl }: InviteDeps): Route {
  return defineDashboardRoute(contract, async ({ principal: { account, session, address }, body: { email, role } }) => {
    // The e-mail names its sender by the address and goes to any address: the sender's must be verified.
    if (!session.user.isEmailVerified) throw emailNotVerified(session.user.email, 'invite people');
    await invitationThrottle.begin({ subject: account.id, address });
    const invitedBy = session.user.id;
    const { name: inviterName, email: inviterEmail } = session.user;
    const names = { accountName: account.name, inviterName, inviterEmail };
    const input = { accountId: account.id, email, role, invitedBy, maxOpen: maxOpenInvitations, ...names };
    const { invitation, token } = await withinBounds(identity.invitations.create(input));
    const link = dashboardLink(publicUrl(), 'invitation', token);
    return { status: 201, body: { invitation: presentInvitation(invitation), link } };
  });
}

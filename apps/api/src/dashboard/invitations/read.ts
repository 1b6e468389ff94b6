import { acceptInvitationSchema, invitationDetailsEnvelopeSchema } from '@outdial/contracts';
import type { Identity } from '@outdial/identity';
import { timestamp } from '@outdial/presentation';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { linkNotValid } from '../link-not-valid.ts';
import type { Throttle } from '../throttle.ts';

/** By POST: servers log URLs, so a link's secret must not be in one. */
const contract = defineDashboardContract({
  access: 'anybody',
  method: 'POST',
  path: '/api/dashboard/invitations/read',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: acceptInvitationSchema,
  responses: { 200: invitationDetailsEnvelopeSchema },
  errors: ['link_not_valid', 'too_many_attempts', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

export interface ReadInvitationDeps {
  readonly identity: Pick<Identity, 'invitations'>;
  readonly linkThrottle: Throttle;
}

/** Shows the invited person the account and the sender before they decide. */
export function readInvitationRoute({ identity, linkThrottle }: ReadInvitationDeps): Route {
  return defineDashboardRoute(contract, async ({ principal: { address }, body: { token } }) => {
    const succeeded = await linkThrottle.begin({ subject: 'invitation', address });
    const found = await identity.invitations.find(token);
    if (found === null) throw linkNotValid('token');
    await succeeded();
    const invitation = {
      account_name: found.accountName,
      email: found.email,
      role: found.role,
      invited_by: { name: found.inviterName, email: found.inviterEmail },
      expires_at: timestamp(found.expiresAtMs),
    };
    return { status: 200, body: { invitation } };
  });
}

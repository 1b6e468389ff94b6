import { acceptInvitationSchema, sessionEnvelopeSchema } from '@outdial/contracts';
import type { Identity } from '@outdial/identity';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { notSignedIn } from '../admissions.ts';
import { linkNotValid } from '../link-not-valid.ts';
import { presentSession } from '../session/present-session.ts';

const contract = defineDashboardContract({
  access: 'user',
  method: 'POST',
  path: '/api/dashboard/invitations/accept',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: acceptInvitationSchema,
  responses: { 200: sessionEnvelopeSchema },
  errors: ['link_not_valid', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

/** Whoever has the link may join: it need not have come to the address that this user signs in with. */
export function acceptInvitationRoute({
  identity,
}: {
  readonly identity: Pick<Identity, 'invitations' | 'findSession'>;
}): Route {
  return defineDashboardRoute(contract, async ({ principal: { session }, body: { token } }) => {
    if (!(await identity.invitations.accept(token, session.user.id))) throw linkNotValid('token');
    const now = await identity.findSession(session.digest);
    if (now === null) throw notSignedIn();
    return { status: 200, body: { session: presentSession(now) } };
  });
}

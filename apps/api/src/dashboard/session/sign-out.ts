import type { Identity } from '@outdial/identity';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { noContent } from '../../http/reply.ts';
import { noSessionCookie } from '../cookie.ts';

const COMMON = {
  access: 'user',
  method: 'DELETE',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['origin_not_allowed'],
} as const;

const here = defineDashboardContract({ ...COMMON, path: '/api/dashboard/session' });
const everywhere = defineDashboardContract({ ...COMMON, path: '/api/dashboard/sessions' });

export function signOutRoute({ identity }: { readonly identity: Pick<Identity, 'endSession'> }): Route {
  return defineDashboardRoute(here, async ({ principal: { session } }) => {
    await identity.endSession(session.digest);
    return noContent({ 'Set-Cookie': noSessionCookie() });
  });
}

/** Every session of the user ends, on every device. */
export function signOutEverywhereRoute({ identity }: { readonly identity: Pick<Identity, 'endSessions'> }): Route {
  return defineDashboardRoute(everywhere, async ({ principal: { session } }) => {
    await identity.endSessions(session.user.id);
    return noContent({ 'Set-Cookie': noSessionCookie() });
  });
}

import { sessionEnvelopeSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { notSignedIn } from '../access-checks.ts';
import type { Sessions } from '../sessions.ts';
import { presentSession } from './present-session.ts';

const contract = defineDashboardContract({
  access: 'user',
  method: 'GET',
  path: '/api/dashboard/session',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: sessionEnvelopeSchema },
  errors: [],
});

export function getSessionRoute({ sessions }: { readonly sessions: Pick<Sessions, 'findNow'> }): Route {
  return defineDashboardRoute(contract, async ({ principal: { session } }) => {
    // Uncached: the user may have joined an account a moment ago.
    const now = await sessions.findNow(session.digest);
    if (now === null) throw notSignedIn();
    return { status: 200, body: { session: presentSession(now) } };
  });
}

import { firstRunEnvelopeSchema, setFirstRunSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import type { MemberPrincipal } from '../../http/principal.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';

const COMMON = {
  access: 'member',
  path: '/api/dashboard/accounts/:account_id/first-run',
  params: NO_PARAMS,
  query: NO_QUERY,
  responses: { 200: firstRunEnvelopeSchema },
} as const;

const getContract = defineDashboardContract({ ...COMMON, method: 'GET', body: NO_BODY, errors: [] });
const setContract = defineDashboardContract({
  ...COMMON,
  method: 'PUT',
  body: setFirstRunSchema,
  errors: ['origin_not_allowed', 'body_too_large', 'unsupported_media_type'],
});

async function answer(deps: OwnAccountDeps, principal: MemberPrincipal) {
  const { dismissed, ...steps } = await ownAccountOf(deps, principal).firstRun(principal.session.user.id);
  return { status: 200, body: { first_run: { steps, dismissed } } } as const;
}

/** Which first steps the account has taken. */
export function getFirstRunRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(getContract, ({ principal }) => answer(deps, principal));
}

/** Hides or shows the list of first steps for the member. */
export function setFirstRunRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(setContract, async ({ principal, body: { dismissed } }) => {
    await ownAccountOf(deps, principal).setFirstRunDismissed(principal.session.user.id, dismissed);
    return answer(deps, principal);
  });
}

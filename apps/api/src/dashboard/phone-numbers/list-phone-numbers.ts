import { phoneNumberListSchema } from '@outdial/contracts';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_PARAMS,
  NO_QUERY,
  type Route,
} from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { presentPhoneNumber } from './present-phone-number.ts';

const contract = defineDashboardContract({
  access: 'member',
  method: 'GET',
  path: '/api/dashboard/accounts/:account_id/phone-numbers',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: phoneNumberListSchema },
  errors: [],
});

export function listPhoneNumbersRoute(deps: OwnAccountDeps): Route {
  return defineDashboardRoute(contract, async ({ principal }) => {
    const records = await ownAccountOf(deps, principal).numbers.list();
    return { status: 200, body: { phone_numbers: records.map(presentPhoneNumber) } };
  });
}

import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { listPhoneNumbersContract } from './contract.ts';
import { presentPhoneNumber } from './present-phone-number.ts';

export function listPhoneNumbersRoute(deps: OwnAccountDeps): AccountRoute {
  return defineRoute(listPhoneNumbersContract, async ({ principal }) => {
    const records = await ownAccountOf(deps, principal).numbers.list();
    return { status: 200, body: { phone_numbers: records.map(presentPhoneNumber) } };
  });
}

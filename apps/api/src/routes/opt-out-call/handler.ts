import type { Logger } from '@outdial/kernel';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { entrySourceOf } from '../../http/principal.ts';
import { callNotFound } from '../call-params.ts';
import { presentSuppression } from '../suppressions/present.ts';
import { optOutCallContract } from './contract.ts';

export interface OptOutCallDeps extends OwnAccountDeps {
  readonly logger: Logger;
}

export function optOutCallRoute(deps: OptOutCallDeps): AccountRoute {
  return defineRoute(optOutCallContract, async ({ principal, params, body: { reason }, requestId }) => {
    const accountId = principal.account.id;
    const callId = params.call_id;
    const { suppressions } = ownAccountOf(deps, principal);
    const suppression = await suppressions.optOutCall({ callId, reason, source: entrySourceOf(principal) });
    if (suppression === null) throw callNotFound();
    deps.logger.info(
      { event: 'call.opted_out', requestId, accountId, callId },
      'the opt-out of a callee was passed on',
    );
    return { status: 200, body: { suppression: presentSuppression(suppression) } };
  });
}

import type { EndCallOutcome } from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';
import { unreachable, type Logger } from '@outdial/kernel';
import { presentCall } from '@outdial/presentation';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { callNotFound } from '../call-params.ts';
import { endCallContract } from './contract.ts';

export interface EndCallRouteDeps {
  readonly endCall: (input: { readonly accountId: AccountId; readonly callId: CallId }) => Promise<EndCallOutcome>;
  readonly logger: Logger;
}

export function endCallRoute({ endCall, logger }: EndCallRouteDeps): AccountRoute {
  return defineRoute(endCallContract, async ({ principal, params, requestId }) => {
    const accountId = principal.account.id;
    const callId = params.call_id;
    const outcome = await endCall({ accountId, callId });
    switch (outcome.kind) {
      case 'not_found':
        throw callNotFound();
      case 'already_ended':
        return { status: 200, body: { call: presentCall(outcome.call) } };
      case 'ending':
        logger.info({ event: 'call.end_requested', requestId, accountId, callId }, 'the end of a call was requested');
        return { status: 202, body: { call: presentCall(outcome.call) } };
      default:
        return unreachable(outcome);
    }
  });
}

import {
  accountIdSchema,
  operatedAccountEnvelopeSchema,
  setEnabledSchema,
  updateOperatedAccountSchema,
} from '@outdial/contracts';
import { z } from 'zod';
import {
  defineDashboardContract,
  defineDashboardRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from '../../../http/define-route.ts';
import { administrationOf, type OperationsDeps } from '../operations-deps.ts';
import { presentOperatedAccount } from '../present-account.ts';
import { toApiError } from '../refusals.ts';

const common = {
  access: 'operator',
  params: z.object({ account_id: accountIdSchema }),
  query: NO_QUERY,
  responses: { 200: operatedAccountEnvelopeSchema },
} as const;
const CHANGE_ERRORS = ['account_not_found', 'origin_not_allowed', 'body_too_large', 'unsupported_media_type'] as const;

const showContract = defineDashboardContract({
  ...common,
  method: 'GET',
  path: '/api/dashboard/operations/accounts/:account_id',
  body: NO_BODY,
  errors: ['account_not_found'],
});

const updateContract = defineDashboardContract({
  ...common,
  method: 'PATCH',
  path: '/api/dashboard/operations/accounts/:account_id',
  body: updateOperatedAccountSchema,
  errors: CHANGE_ERRORS,
});

const enableContract = defineDashboardContract({
  ...common,
  method: 'PUT',
  path: '/api/dashboard/operations/accounts/:account_id/enabled',
  body: setEnabledSchema,
  errors: CHANGE_ERRORS,
});

/** One account: what operators read and set. */
export function operatedAccountRoutes(deps: OperationsDeps): readonly Route[] {
  return [
    defineDashboardRoute(showContract, async ({ principal, params: { account_id: accountId } }) => {
      const account = await administrationOf(deps, principal).accounts.show(accountId).catch(toApiError);
      return { status: 200, body: { account: presentOperatedAccount(account) } };
    }),
    defineDashboardRoute(updateContract, async ({ principal, params: { account_id: accountId }, body }) => {
      const { accounts } = administrationOf(deps, principal);
      const changes = {
        name: body.name,
        capacity: body.capacity,
        maxDurationSeconds: body.max_duration_seconds,
        ringTimeoutSeconds: body.ring_timeout_seconds,
        mayUseSystemNumber: body.may_use_system_number,
      };
      const { account, limits } = await accounts.update(accountId, changes).catch(toApiError);
      // If this fails, workers update the capacity in the gate within seconds.
      await deps.gate.refreshAccount(limits).catch(() => undefined);
      return { status: 200, body: { account: presentOperatedAccount(account) } };
    }),
    defineDashboardRoute(
      enableContract,
      async ({ principal, params: { account_id: accountId }, body: { enabled } }) => {
        const account = await administrationOf(deps, principal)
          .accounts.setEnabled(accountId, enabled)
          .catch(toApiError);
        return { status: 200, body: { account: presentOperatedAccount(account) } };
      },
    ),
  ];
}

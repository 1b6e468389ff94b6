import {
  accountIdSchema,
  parseDecimal,
  toppedUpSchema,
  TOP_UP_AMOUNT_RULE,
  topUpSchema,
  type Micros,
} from '@outdial/contracts';
import { z } from 'zod';
import { defineDashboardContract, defineDashboardRoute, NO_QUERY, type Route } from '../../http/define-route.ts';
import { invalidRequest } from '../../http/api-error.ts';
import { administrationOf, type OperationsDeps } from './operations-deps.ts';
import { presentOperatedAccount } from './present-account.ts';
import { toApiError } from './refusals.ts';

const contract = defineDashboardContract({
  access: 'operator',
  method: 'POST',
  path: '/api/dashboard/operations/accounts/:account_id/top-ups',
  params: z.object({ account_id: accountIdSchema }),
  query: NO_QUERY,
  body: topUpSchema,
  responses: { 200: toppedUpSchema },
  errors: [
    'account_not_found',
    'idempotency_key_reused',
    'origin_not_allowed',
    'body_too_large',
    'unsupported_media_type',
  ],
});

export function topUpRoute(deps: OperationsDeps): Route {
  return defineDashboardRoute(contract, async ({ principal, params: { account_id: accountId }, body }) => {
    const { wallets, accounts } = administrationOf(deps, principal);
    const idempotencyKey = body.idempotency_key;
    const topUp = { accountId, amountMicros: amountOf(body.amount), idempotencyKey };
    const { repeated, limits } = await wallets.topUp(topUp).catch(toApiError);
    // If this fails, workers update the gate within seconds.
    await deps.gate.refreshAccount(limits).catch(() => undefined);
    return { status: 200, body: { account: presentOperatedAccount(await accounts.show(accountId)), repeated } };
  });
}

/** @throws ApiError */
function amountOf(text: string): Micros {
  const amount = parseDecimal(text);
  if (amount !== null && amount > 0n) return amount;
  throw invalidRequest([{ param: 'amount', message: TOP_UP_AMOUNT_RULE }]);
}

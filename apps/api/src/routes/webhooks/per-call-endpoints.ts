import type { AccountId } from '@outdial/contracts';
import { withDeadline } from '@outdial/kernel';
import { createSecret } from '@outdial/webhooks';
import { ApiError } from '../../http/api-error.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { webhooksOf, type WebhookDeps } from './webhook-deps.ts';

/** Makes what a call with a `webhook_url` needs. @throws ApiError `secret_key_missing` @throws DeadlineExceeded */
export type EnsurePerCallEndpoint = (principal: AccountPrincipal, byMs: number) => Promise<void>;

type PerCallEndpointsDeps = Pick<WebhookDeps, 'openWebhooks' | 'secretKey' | 'clock'>;

/** Beyond it, accounts are asked for again: a process that has seen many must not grow for ever. */
const MAX_REMEMBERED = 10_000;

/**
 * The endpoint exists before a call is reserved: the call's first event is announced by the statement that accepts it. It is
 * never deleted, so a process asks once for each account.
 */
export function createPerCallEndpoints(deps: PerCallEndpointsDeps): EnsurePerCallEndpoint {
  const known = new Set<AccountId>();
  return async (principal, byMs) => {
    const { id } = principal.account;
    if (known.has(id)) return;
    await withDeadline(deps.clock, byMs, ensure(deps, principal));
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.add(id);
  };
}

/** A secret that is made already needs no key here: the workers open it. */
async function ensure(deps: PerCallEndpointsDeps, principal: AccountPrincipal): Promise<void> {
  const { perCall } = webhooksOf(deps, principal);
  if ((await perCall.find()) !== null) return;
  if (deps.secretKey === null) throw noSecretForCalls();
  await perCall.ensure({ secret: createSecret(), secretKey: deps.secretKey });
}

function noSecretForCalls(): ApiError {
  return new ApiError({
    code: 'secret_key_missing',
    param: 'webhook_url',
    publicMessage:
      'A call with a webhook_url needs a secret that signs its webhooks, and this service cannot seal secrets yet. Ask its operator to set OUTDIAL_SECRET_KEY, or omit webhook_url.',
  });
}

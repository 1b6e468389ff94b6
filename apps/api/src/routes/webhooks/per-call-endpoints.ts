import type { AccountId } from '@outdial/contracts';
import { withDeadline } from '@outdial/kernel';
import { createSecret } from '@outdial/webhooks';
import type { AccountPrincipal } from '../../http/principal.ts';
import { requireSecretKey } from '../require-secret-key.ts';
import { webhooksOf, type WebhookDeps } from './webhook-deps.ts';

/** Makes what a call with a `webhook_url` needs. @throws ApiError `secret_key_missing` @throws DeadlineExceeded */
export type EnsurePerCallEndpoint = (principal: AccountPrincipal, byMs: number) => Promise<void>;

/** Beyond it, accounts are asked for again: a process that has seen many must not grow for ever. */
const MAX_REMEMBERED = 10_000;

/**
 * The endpoint exists before a call is reserved: the call's first event is announced by the statement that accepts it. It is
 * never deleted, so a process asks once for each account.
 */
export function createPerCallEndpoints(
  deps: Pick<WebhookDeps, 'openWebhooks' | 'secretKey' | 'clock'>,
): EnsurePerCallEndpoint {
  const known = new Set<AccountId>();
  return async (principal, byMs) => {
    const { id } = principal.account;
    const secretKey = requireSecretKey(deps.secretKey);
    if (known.has(id)) return;
    const ensuring = webhooksOf(deps, principal).perCall.ensure({ secret: createSecret(), secretKey });
    await withDeadline(deps.clock, byMs, ensuring);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.add(id);
  };
}

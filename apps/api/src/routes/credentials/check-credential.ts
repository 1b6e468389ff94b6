import { EgressError } from '@outdial/egress';
import { checkCredential } from '@outdial/providers';
import { ApiError, serviceUnavailable } from '../../http/api-error.ts';
import type { CheckLimit } from '../../http/check-limit.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import { requireSecretKey } from '../require-secret-key.ts';
import { checkCredentialContract } from './contracts.ts';
import { credentialNotFound, type CredentialDeps } from './handlers.ts';
import { presentCredential } from './present.ts';

export interface CheckCredentialDeps extends CredentialDeps {
  readonly checkLimit: CheckLimit;
  /** Aborts while the process shuts down. */
  readonly stopping: AbortSignal;
}

/** Waits for the provider, and so for longer than other routes. */
export function checkCredentialRoute(deps: CheckCredentialDeps): AccountRoute {
  return defineRoute(
    checkCredentialContract,
    async ({ principal, params, query }) => {
      const secretKey = requireSecretKey(deps.secretKey);
      await deps.checkLimit(principal.account.id);
      const { credentials } = ownAccountOf(deps, principal);
      const opened = await credentials.open(params.credential_id, secretKey);
      if (opened === null) throw credentialNotFound();
      if (opened.kind === 'unreadable') throw unreadable();
      const { credential, apiKey } = opened;
      const check = await checkCredential(deps.egress, {
        credential: { ...credential, apiKey },
        model: query.model,
        signal: deps.stopping,
      }).catch((error: unknown) => {
        throw error instanceof EgressError ? serviceUnavailable(error) : error;
      });
      const saved = await credentials.recordCheck(credential, check.result);
      return { status: 200, body: { credential: presentCredential(saved ?? credential), check } };
    },
    { keepsDeadline: true },
  );
}

function unreadable(): ApiError {
  return new ApiError({
    code: 'secret_key_missing',
    publicMessage:
      'This service cannot read the key: it was sealed with another OUTDIAL_SECRET_KEY. Rotate the credential.',
  });
}

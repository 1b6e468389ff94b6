import type { SecretBody } from '@outdial/contracts';
import type { SecretRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';
import type { SecretKey } from '@outdial/secrets';
import { withinBounds } from '../../http/account-bounds.ts';
import { ApiError } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { noContent } from '../../http/reply.ts';
import { requireSecretKey } from '../require-secret-key.ts';
import { deleteSecretContract, listSecretsContract, setSecretContract } from './contracts.ts';

export interface SecretDeps extends OwnAccountDeps {
  /** Null: not configured. */
  readonly secretKey: SecretKey | null;
}

export function listSecretsRoute(deps: SecretDeps): AccountRoute {
  return defineRoute(listSecretsContract, async ({ principal }) => {
    const records = await ownAccountOf(deps, principal).secrets.list();
    return { status: 200, body: { secrets: records.map(presentSecret) } };
  });
}

export function setSecretRoute(deps: SecretDeps): AccountRoute {
  return defineRoute(setSecretContract, async ({ principal, params: { secret_name: name }, body: { value } }) => {
    const secretKey = requireSecretKey(deps.secretKey);
    const record = await withinBounds(ownAccountOf(deps, principal).secrets.set({ name, value, secretKey }));
    return { status: 200, body: { secret: presentSecret(record) } };
  });
}

export function deleteSecretRoute(deps: SecretDeps): AccountRoute {
  return defineRoute(deleteSecretContract, async ({ principal, params }) => {
    if (await ownAccountOf(deps, principal).secrets.remove(params.secret_name)) return noContent();
    throw new ApiError({
      code: 'secret_not_found',
      publicMessage: 'Your account has no secret with this name. List the secrets to find it.',
      param: 'secret_name',
    });
  });
}

function presentSecret({ name, createdAtMs, updatedAtMs }: SecretRecord): SecretBody {
  return { name, created_at: timestamp(createdAtMs), updated_at: timestamp(updatedAtMs) };
}

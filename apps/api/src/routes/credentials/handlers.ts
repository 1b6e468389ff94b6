import { credentialIdSchema, type AccountId, type updateCredentialSchema } from '@outdial/contracts';
import type { EgressClient } from '@outdial/egress';
import { CodedError } from '@outdial/kernel';
import type { CredentialCursor, CredentialRecord } from '@outdial/persistence';
import { egressScopeOf } from '@outdial/providers';
import type { SecretKey } from '@outdial/secrets';
import type { z } from 'zod';
import { withinBounds } from '../../http/account-bounds.ts';
import { ApiError, invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import type { PositionSeal } from '../../http/position-seal.ts';
import { noContent } from '../../http/reply.ts';
import { requireSecretKey } from '../require-secret-key.ts';
import {
  createCredentialContract,
  deleteCredentialContract,
  listCredentialsContract,
  rotateCredentialContract,
  updateCredentialContract,
} from './contracts.ts';
import { presentCredential } from './present.ts';

export interface CredentialDeps extends OwnAccountDeps {
  readonly egress: Pick<EgressClient, 'check' | 'request' | 'connect'>;
  /** Null: not configured. */
  readonly secretKey: SecretKey | null;
  readonly credentialCursors: PositionSeal;
}

export function createCredentialRoute(deps: CredentialDeps): AccountRoute {
  return defineRoute(createCredentialContract, async ({ principal, body }) => {
    const { provider, name, api_key: apiKey, base_url: baseUrl = null, region = null } = body;
    if (baseUrl !== null) {
      const checked = deps.egress.check(baseUrl, egressScopeOf({ accountId: principal.account.id }));
      if (!checked.ok) throw invalidRequest([{ param: 'base_url', message: checked.problem }]);
    }
    const secretKey = requireSecretKey(deps.secretKey);
    const { credentials } = ownAccountOf(deps, principal);
    const record = await withinBounds(
      credentials.create({ provider, name, apiKey, baseUrl, region, secretKey, ...limitsOf(body) }).catch(asApiError),
    );
    return { status: 201, body: { credential: presentCredential(record) } };
  });
}

type Limits = Pick<
  z.output<typeof updateCredentialSchema>,
  'max_concurrent_calls' | 'starts_per_second' | 'max_generations'
>;

function limitsOf(limits: Limits) {
  return {
    maxConcurrentCalls: limits.max_concurrent_calls,
    startsPerSecond: limits.starts_per_second,
    maxGenerations: limits.max_generations,
  };
}

function asApiError(error: unknown): never {
  if (!(error instanceof CodedError && error.code === 'credential_exists')) throw error;
  throw new ApiError({ code: 'credential_exists', publicMessage: error.publicMessage, param: 'name', cause: error });
}

export function listCredentialsRoute(deps: CredentialDeps): AccountRoute {
  const { credentialCursors: cursors } = deps;
  return defineRoute(listCredentialsContract, async ({ principal, query: { limit, cursor } }) => {
    const accountId = principal.account.id;
    const after = cursor === undefined ? null : readCursor(cursors, accountId, cursor);
    const { credentials, hasMore } = await ownAccountOf(deps, principal).credentials.list({ after, limit });
    const last = credentials.at(-1);
    const next = hasMore && last ? cursors.write(accountId, last) : null;
    return {
      status: 200,
      body: { credentials: credentials.map(presentCredential), has_more: hasMore, next_cursor: next },
    };
  });
}

function readCursor(cursors: PositionSeal, accountId: AccountId, text: string): CredentialCursor {
  const position = cursors.read(accountId, text);
  if (position !== null) return { createdAtMs: position.createdAtMs, id: credentialIdSchema.parse(position.id) };
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}

export function updateCredentialRoute(deps: CredentialDeps): AccountRoute {
  return defineRoute(updateCredentialContract, async ({ principal, params, body }) => {
    const record = await ownAccountOf(deps, principal).credentials.setLimits(params.credential_id, limitsOf(body));
    return { status: 200, body: { credential: presentCredential(found(record)) } };
  });
}

export function rotateCredentialRoute(deps: CredentialDeps): AccountRoute {
  return defineRoute(rotateCredentialContract, async ({ principal, params, body }) => {
    const key = { apiKey: body.api_key, secretKey: requireSecretKey(deps.secretKey) };
    const record = await ownAccountOf(deps, principal).credentials.rotate(params.credential_id, key);
    return { status: 200, body: { credential: presentCredential(found(record)) } };
  });
}

export function deleteCredentialRoute(deps: CredentialDeps): AccountRoute {
  return defineRoute(deleteCredentialContract, async ({ principal, params }) => {
    found(await ownAccountOf(deps, principal).credentials.remove(params.credential_id));
    return noContent();
  });
}

function found(record: CredentialRecord | null): CredentialRecord {
  if (record === null) throw credentialNotFound();
  return record;
}

/** The same for a credential that never existed and for another account's: a client cannot tell them apart. */
export function credentialNotFound(): ApiError {
  return new ApiError({
    code: 'credential_not_found',
    publicMessage: 'Your account has no credential with this id. List the credentials to find it.',
    param: 'credential_id',
  });
}

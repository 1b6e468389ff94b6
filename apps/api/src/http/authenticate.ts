import { type AccountProfile, type Directory, type KeyRecord } from '@outdial/calls';
import { digestsEqual, type KeyPepper } from '@outdial/secrets';
import type { ApiKeyId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { credentialsOf } from './credentials.ts';
import { ApiError } from './api-error.ts';
import { createKeyDigests } from './key-digests.ts';
import type { UnknownCredentials } from './unknown-credentials.ts';

/** A valid key and its account. */
export interface KeyHolder {
  readonly key: KeyRecord;
  readonly account: AccountProfile;
}

interface DirectoryDeps {
  readonly clock: Clock;
  readonly directory: Pick<Directory, 'findKey' | 'findAccount'>;
}

export interface AuthenticateDeps extends DirectoryDeps {
  readonly pepper: KeyPepper;
  /** Called before a key that this process does not know is looked up. */
  readonly unknown: UnknownCredentials;
  /** Records that the key was used, outside the request's path. */
  readonly keyUsed: (keyId: ApiKeyId) => void;
}

/** RFC 9110 section 11.6.1: a 401 names a scheme that the server accepts. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="outdial"' };

/**
 * `addressOf` returns the client's address. It is called only for keys that this process does not know.
 * @throws ApiError `missing_api_key`, `invalid_api_key`, or `rate_limited`.
 */
export type Authenticate = (rawHeaders: readonly string[], addressOf: () => string) => Promise<KeyHolder>;

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { keyUsed, unknown } = deps;
  const digests = createKeyDigests(deps.pepper);

  async function lookUp(digest: Buffer, address: string): Promise<KeyHolder> {
    const key = await unknown.lookUp(address, digest.toString('hex'), () => deps.directory.findKey(digest));
    if (key === null) throw invalidKey('This API key is not known.');
    return principalOf(deps, digest);
  }

  return async function authenticate(rawHeaders, addressOf) {
    const text = givenKey(rawHeaders);
    const digest = digests.of(text);
    if (digest === null)
      throw invalidKey('This is not an API key of this service. Check that you copied the whole key.');
    const principal = await (digests.isKnown(text) ? principalOf(deps, digest) : lookUp(digest, addressOf()));
    digests.remember(text, digest);
    keyUsed(principal.key.id);
    return principal;
  };
}

/** The account that holds this key now. @throws ApiError `invalid_api_key` */
async function principalOf({ clock, directory }: DirectoryDeps, digest: Buffer): Promise<KeyHolder> {
  const key = await directory.findKey(digest);
  if (key === null || !digestsEqual(key.digest, digest)) throw invalidKey('This API key is not known.');
  if (key.revokedAtMs !== null) throw invalidKey('This API key was revoked. Use another one.');
  if (key.expiresAtMs !== null && key.expiresAtMs <= clock.nowMs()) {
    throw invalidKey('This API key has expired. Use another one.');
  }
  const account = await directory.findAccount(key.accountId);
  if (account === null || !account.enabled) throw invalidKey('The account of this API key is disabled.');
  return { key, account };
}

/** Whether a key that had access still has it: a stream held open for a key must not outlive it. */
export function createKeyCheck(deps: DirectoryDeps): (key: KeyRecord) => Promise<boolean> {
  return async function isStillGood(key) {
    try {
      await principalOf(deps, Buffer.from(key.digest));
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  };
}

function givenKey(rawHeaders: readonly string[]): string {
  const credentials = credentialsOf(rawHeaders);
  switch (credentials.kind) {
    case 'given':
      return credentials.key;
    case 'conflicting':
      throw invalidKey('The request carries two different API keys. Send one.');
    case 'missing':
      throw new ApiError({
        code: 'missing_api_key',
        publicMessage: 'Send an API key as X-API-Key: <key> or as Authorization: Bearer <key>.',
        headers: CHALLENGE,
      });
    default:
      return credentials satisfies never;
  }
}

function invalidKey(publicMessage: string): ApiError {
  return new ApiError({ code: 'invalid_api_key', publicMessage, headers: CHALLENGE });
}

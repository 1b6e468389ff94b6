import type { Clock, Logger } from '@outdial/kernel';
import { openSecret, type SecretKey } from '@outdial/secrets';
import { bodyInVersion } from '../body/form-body.ts';
import type { ClaimedDelivery } from '../ports/webhook-store.ts';
import { sign } from '../signing/sign.ts';
import type { MessageBody } from './read-bodies.ts';

export interface SigningDeps {
  readonly secretKey: SecretKey;
  /** Of this program, for `User-Agent`. */
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

type SignedDelivery = Pick<
  ClaimedDelivery,
  'messageId' | 'endpointId' | 'apiVersion' | 'sealedSecret' | 'previousSealedSecret'
>;

/** What a receiver gets, by whichever way. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type SignedOrNot =
  | { readonly kind: 'signed'; readonly request: SignedRequest }
  /** The body cannot be formed, or the secret does not open: a receiver would reject what another secret signed. */
  | { readonly kind: 'unsigned'; readonly error: 'body' | 'secret' };

/** The request of an attempt that is made now. */
export function signedRequest(
  deps: SigningDeps,
  delivery: SignedDelivery,
  body: Exclude<MessageBody, { readonly kind: 'gone' }>,
): SignedOrNot {
  const { version, clock } = deps;
  const { messageId, apiVersion } = delivery;
  const sent = bodyFor(deps, delivery, body);
  if (sent === null) return { kind: 'unsigned', error: 'body' };
  const secrets = openSecrets(deps, delivery);
  if (secrets === null) return { kind: 'unsigned', error: 'secret' };
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Outdial-Webhooks/${version}`,
    'outdial-version': apiVersion,
    ...sign({ messageId, atMs: clock.nowMs(), body: sent, secrets }),
  };
  return { kind: 'signed', request: { headers, body: sent } };
}

/** In the version of the endpoint. Null if it cannot be formed: a later version of this service may have written the row. */
function bodyFor(
  { logger }: SigningDeps,
  { messageId, endpointId, apiVersion }: SignedDelivery,
  body: Exclude<MessageBody, { readonly kind: 'gone' }>,
): string | null {
  try {
    if (body.kind === 'unreadable') throw body.error;
    return bodyInVersion(body.text, apiVersion);
  } catch (error) {
    logger.error(
      { event: 'webhook.body_failed', err: error, messageId, endpointId },
      'the body of a webhook cannot be formed: nothing is sent, and it is tried again later',
    );
    return null;
  }
}

/** The newest first. */
function openSecrets(
  { secretKey, logger }: SigningDeps,
  { endpointId, sealedSecret, previousSealedSecret }: SignedDelivery,
): readonly string[] | null {
  const sealedFor = { purpose: 'webhook secret', owner: endpointId } as const;
  const current = openSecret(secretKey, sealedSecret, sealedFor);
  if (current === undefined) {
    logger.error(
      { event: 'webhook.secret_unreadable', endpointId },
      'the secret of a webhook endpoint cannot be opened: nothing is sent to it',
    );
    return null;
  }
  const previous = previousSealedSecret && openSecret(secretKey, previousSealedSecret, sealedFor);
  return previous ? [current, previous] : [current];
}

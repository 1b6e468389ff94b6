import type { Clock, Logger } from '@outdial/kernel';
import { openSecret, type SecretKey } from '@outdial/secrets';
import { bodyInVersion } from '../body/form-body.ts';
import type { ClaimedDelivery } from '../ports/webhook-store.ts';
import { sign } from '../signing/sign.ts';

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

/**
 * The request of an attempt that is made now. Null if the secret does not open: a receiver would reject what another
 * secret signed.
 *
 * @param kept the body in its newest shape
 */
export function signedRequest(deps: SigningDeps, delivery: SignedDelivery, kept: string): SignedRequest | null {
  const { version, clock } = deps;
  const { messageId, apiVersion } = delivery;
  const secrets = openSecrets(deps, delivery);
  if (secrets === null) return null;
  const body = bodyInVersion(kept, apiVersion);
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Outdial-Webhooks/${version}`,
    'outdial-version': apiVersion,
    ...sign({ messageId, atMs: clock.nowMs(), body, secrets }),
  };
  return { headers, body };
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

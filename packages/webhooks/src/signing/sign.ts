import { createHmac } from 'node:crypto';
import type { WebhookMessageId } from '@outdial/contracts';
import { keyOf } from './secret.ts';

export interface ToSign {
  readonly messageId: WebhookMessageId;
  /** When this attempt is made. */
  readonly atMs: number;
  readonly body: string;
  /** The newest first; two while a rotation overlaps. */
  readonly secrets: readonly string[];
}

/** What receivers verify: the same id for each attempt, the time of this one, and a signature for each secret. */
export interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

const MS_PER_SECOND = 1_000;

/** Standard Webhooks 1.0, symmetric: HMAC-SHA256 of id, time in seconds and body. */
export function sign({ messageId, atMs, body, secrets }: ToSign): SignatureHeaders {
  const id = `msg_${messageId}`;
  const timestamp = String(Math.floor(atMs / MS_PER_SECOND));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content, 'utf8').digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

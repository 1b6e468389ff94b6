import { Webhook } from 'standardwebhooks';
import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './webhook-events.ts';

/** A request's headers, as `fetch`, Node's `http` or a framework gives them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

export const webhooks = {
  /**
   * The event that a webhook brings, after its signature was checked (Standard Webhooks 1.0).
   *
   * @param rawBody the body as it arrived. JSON that was parsed and written again has another signature.
   * @param secret of the endpoint: `whsec_…`.
   * @throws WebhookVerificationError if it was signed with another secret, was changed, or is older than five minutes
   */
  verify(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): WebhookEvent {
    const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
    const signed = Object.fromEntries(SIGNED.map((name) => [name, headerOf(headers, name)]));
    try {
      new Webhook(secret).verify(text, signed, { jsonParse: false });
      const event: WebhookEvent = JSON.parse(text);
      return event;
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown';
      throw new WebhookVerificationError(`The webhook cannot be trusted: ${why}.`, { cause: error });
    }
  },
};

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

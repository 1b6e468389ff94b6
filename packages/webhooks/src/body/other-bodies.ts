import type { CallWebhookType, WebhookEndpointId } from '@outdial/contracts';
import { timestamp } from '@outdial/presentation';
import { exampleFacts } from './example-facts.ts';
import { formCallWebhook } from './versions/2026-12-01.ts';

/**
 * The body that the test button sends: an example of the type, marked as a test. `webhook.test` has no data.
 *
 * @param atMs when the button was pressed
 */
export function testBody(type: CallWebhookType | 'webhook.test', atMs: number): string {
  if (type === 'webhook.test') return JSON.stringify({ type, timestamp: timestamp(atMs), test: true, data: {} });
  const { data, ...head } = formCallWebhook(exampleFacts(type, atMs));
  return JSON.stringify({ ...head, test: true, data });
}

export interface DisabledEndpoint {
  readonly id: WebhookEndpointId;
  readonly url: string;
  /** `failing`: no success for days. `gone`: the receiver answered 410. */
  readonly reason: 'failing' | 'gone';
  readonly disabledAtMs: number;
}

/** What the other endpoints of an account receive when one of them is disabled. */
export function endpointDisabledBody({ id, url, reason, disabledAtMs }: DisabledEndpoint): string {
  const at = timestamp(disabledAtMs);
  return JSON.stringify({
    type: 'webhook.endpoint_disabled',
    timestamp: at,
    data: { endpoint: { id, url, disabled_reason: reason, disabled_at: at } },
  });
}

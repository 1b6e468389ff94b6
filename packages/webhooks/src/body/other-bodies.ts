import {
  CAMPAIGN_WEBHOOK_TYPES,
  type CampaignWebhookType,
  type EventWebhookType,
  type WebhookEndpointId,
} from '@outdial/contracts';
import { timestamp } from '@outdial/presentation';
import { exampleCampaignFacts } from './example-campaign.ts';
import { exampleFacts } from './example-facts.ts';
import { formCallWebhook, formCampaignWebhook } from './versions/2026-12-01.ts';

/**
 * The body that the test button sends: an example of the type, marked as a test. `webhook.test` has no data.
 *
 * @param atMs when the button was pressed
 */
export function testBody(type: EventWebhookType | 'webhook.test', atMs: number): string {
  if (type === 'webhook.test') return JSON.stringify({ type, timestamp: timestamp(atMs), test: true, data: {} });
  const { data, ...head } = isOfCampaign(type)
    ? formCampaignWebhook(exampleCampaignFacts(type, atMs))
    : formCallWebhook(exampleFacts(type, atMs));
  return JSON.stringify({ ...head, test: true, data });
}

function isOfCampaign(type: EventWebhookType): type is CampaignWebhookType {
  return CAMPAIGN_WEBHOOK_TYPES.some((known) => known === type);
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

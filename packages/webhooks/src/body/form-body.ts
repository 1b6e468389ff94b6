import { LATEST_WEBHOOK_API_VERSION, type WebhookApiVersion } from '@outdial/contracts';
import type { MessageFacts } from '../ports/webhook-store.ts';
import { writeBounded } from './bounded.ts';
import { inVersion, STEPS_BACK } from './in-version.ts';
import { formCallWebhook, formCampaignWebhook } from './versions/2026-12-01.ts';

/** The body that is kept for a message: in the newest shape, for all attempts and endpoints. */
export function formBody(facts: MessageFacts): string {
  // A campaign is some kilobytes: its settings are bounded.
  if ('campaign' in facts) return JSON.stringify(formCampaignWebhook(facts));
  return writeBounded(formCallWebhook(facts));
}

/** A kept body as an endpoint of this version receives it. */
export function bodyInVersion(body: string, version: WebhookApiVersion): string {
  return inVersion(body, version, { newest: LATEST_WEBHOOK_API_VERSION, steps: STEPS_BACK });
}

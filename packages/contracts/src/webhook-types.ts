import type { CallEventType } from './call-events.ts';

/**
 * The webhook that a timeline event becomes; null: none is sent. The SQL function `webhook_type` repeats this table, and
 * a test compares both.
 */
export const WEBHOOK_TYPE_OF_EVENT = {
  scheduled: 'call.scheduled',
  waiting: null,
  queued: 'call.queued',
  dialing: 'call.dialing',
  ringing: 'call.ringing',
  in_progress: 'call.answered',
  ended: 'call.ended',
  answered_by: 'call.answered_by',
  recording_available: 'call.recording_ready',
  analyzed: 'call.analyzed',
  end_requested: null,
  hold_enlarged: null,
  taken_over: null,
  tool_called: null,
  transfer: null,
  provider_failed: null,
  provider_recovered: null,
  opted_out: 'call.opted_out',
} as const satisfies Readonly<Record<CallEventType, string | null>>;

/** Webhooks about a call, in the order of its life. */
export const CALL_WEBHOOK_TYPES = [
  'call.scheduled',
  'call.queued',
  'call.dialing',
  'call.ringing',
  'call.answered',
  'call.answered_by',
  'call.opted_out',
  'call.ended',
  'call.recording_ready',
  'call.analyzed',
] as const satisfies readonly NonNullable<(typeof WEBHOOK_TYPE_OF_EVENT)[CallEventType]>[];
export type CallWebhookType = (typeof CALL_WEBHOOK_TYPES)[number];

/** Webhooks about a campaign. The trigger `note_campaign_state` writes them. */
export const CAMPAIGN_WEBHOOK_TYPES = [
  'campaign.started',
  'campaign.paused',
  'campaign.resumed',
  'campaign.completed',
  'campaign.cancelled',
] as const;
export type CampaignWebhookType = (typeof CAMPAIGN_WEBHOOK_TYPES)[number];

/** Those that a timeline has: they can be replayed, and an endpoint can receive an example. */
export const EVENT_WEBHOOK_TYPES = [...CALL_WEBHOOK_TYPES, ...CAMPAIGN_WEBHOOK_TYPES] as const;
export type EventWebhookType = (typeof EVENT_WEBHOOK_TYPES)[number];

/** All that an endpoint can receive. */
export const WEBHOOK_TYPES = [...EVENT_WEBHOOK_TYPES, 'webhook.endpoint_disabled', 'webhook.test'] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** The shape of bodies is versioned by date. An endpoint keeps the version of the day on which it was made. */
export const WEBHOOK_API_VERSIONS = ['2026-12-01'] as const;
export type WebhookApiVersion = (typeof WEBHOOK_API_VERSIONS)[number];
export const LATEST_WEBHOOK_API_VERSION: WebhookApiVersion = '2026-12-01';

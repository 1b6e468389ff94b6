export { type Call, type CallActions } from './calls/call.ts';
export type { CallsResource, CreateOptions } from './calls/calls.ts';
export { isPassing, type FollowOptions } from './calls/timeline.ts';
export type { WaitOptions } from './calls/wait-for-end.ts';
export type { CampaignsResource, ContactsFile, UploadOptions } from './campaigns/campaigns.ts';
export type { FollowCampaignOptions } from './campaigns/follow-campaign.ts';
export type { Clock } from './clock.ts';
export * from './errors.ts';
export type { RequestOptions } from './http/api.ts';
export { Outdial, type OutdialOptions } from './outdial.ts';
export { Pages, type Page } from './pages.ts';
export type { TryEvent } from './resources/tries.ts';
export { RETRY_REASONS } from './retry-reasons.ts';
export type * from './types.ts';
export type {
  CallWebhook,
  CallWebhookType,
  CampaignWebhook,
  CampaignWebhookType,
  EndpointDisabledWebhook,
  TestWebhook,
  WebhookEvent,
} from './webhook-events.ts';
export { webhooks, type WebhookHeaders } from './webhooks.ts';

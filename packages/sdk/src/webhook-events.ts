import type { components } from './generated/api.ts';
import type { Open } from './open.ts';
import type { CallData, CallEvent } from './types.ts';

type Schemas = components['schemas'];

/** Webhooks about a call. */
export type CallWebhookType = Schemas['CallWebhook']['type'];

interface WebhookOf<Type extends string, Data> {
  readonly type: Type;
  /** When it happened: ISO 8601, UTC. */
  readonly timestamp: string;
  /** It was sent by a test, with invented data. */
  readonly test?: true;
  readonly data: Data;
}

/** The call is never older than the event, and may be newer. */
export type CallWebhook<Type extends CallWebhookType = CallWebhookType> = WebhookOf<
  Type,
  {
    readonly event: CallEvent;
    readonly call: CallData;
    /** Fields of the call that were left out because the body was too large, such as `call.transcript`. */
    readonly omitted?: readonly string[];
  }
>;

/** Webhooks about a campaign. */
export type CampaignWebhookType = Schemas['CampaignWebhook']['type'];

/** The campaign is never older than what happened, and may be newer. */
export type CampaignWebhook<Type extends CampaignWebhookType = CampaignWebhookType> = WebhookOf<
  Type,
  Open<Schemas['CampaignWebhook']['data']>
>;

/** The service disabled another endpoint of the account. */
export type EndpointDisabledWebhook = WebhookOf<
  'webhook.endpoint_disabled',
  Open<Schemas['EndpointDisabledWebhook']['data']>
>;

/** A person asked for a test. Its data is empty. */
export type TestWebhook = WebhookOf<'webhook.test', Schemas['TestWebhookBody']['data']>;

type CallWebhooks = { [Type in CallWebhookType]: CallWebhook<Type> }[CallWebhookType];

type CampaignWebhooks = { [Type in CampaignWebhookType]: CampaignWebhook<Type> }[CampaignWebhookType];

/** What an endpoint receives. A later server may send other types: a `switch` needs a `default` that ignores them. */
export type WebhookEvent = CallWebhooks | CampaignWebhooks | EndpointDisabledWebhook | TestWebhook;

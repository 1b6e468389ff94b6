import type { Call, CallEvent, CampaignRecord } from '@outdial/calls';
import type { CallBody, CallEventBody, CallWebhookType, CampaignBody, CampaignWebhookType } from '@outdial/contracts';
import { presentCall, presentCampaign, presentEvent, timestamp } from '@outdial/presentation';

/** A webhook about a call. */
export interface CallWebhook {
  readonly type: CallWebhookType;
  readonly timestamp: string;
  /** Present in the webhook that the test button sends. */
  readonly test?: true;
  readonly data: {
    readonly event: CallEventBody;
    /** Never older than the event, and perhaps newer. */
    readonly call: Omit<CallBody, 'transcript'> & { readonly transcript: CallBody['transcript'] | null };
    /** What the body would be too large with. */
    readonly omitted?: readonly 'call.transcript'[];
  };
}

export interface CallWebhookFacts {
  readonly type: CallWebhookType;
  readonly occurredAtMs: number;
  readonly event: CallEvent;
  readonly call: Call;
}

/** The newest shape. Bodies are kept in it, whatever version their endpoints have. */
export function formCallWebhook({ type, occurredAtMs, event, call }: CallWebhookFacts): CallWebhook {
  return { type, timestamp: timestamp(occurredAtMs), data: { event: presentEvent(event), call: presentCall(call) } };
}

/** A webhook about a campaign. */
export interface CampaignWebhook {
  readonly type: CampaignWebhookType;
  readonly timestamp: string;
  readonly test?: true;
  readonly data: {
    /** Never older than what happened, and perhaps newer. */
    readonly campaign: CampaignBody;
  };
}

export interface CampaignWebhookFacts {
  readonly type: CampaignWebhookType;
  readonly occurredAtMs: number;
  readonly campaign: CampaignRecord;
  readonly readAtMs: number;
}

export function formCampaignWebhook({ type, occurredAtMs, campaign, readAtMs }: CampaignWebhookFacts): CampaignWebhook {
  return { type, timestamp: timestamp(occurredAtMs), data: { campaign: presentCampaign(campaign, readAtMs) } };
}

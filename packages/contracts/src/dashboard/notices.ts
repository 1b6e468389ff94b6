import { z } from 'zod';

export const ENDPOINT_NOTICE_KINDS = ['webhook_endpoint_failing', 'webhook_endpoint_disabled'] as const;
export const CAMPAIGN_NOTICE_KINDS = [
  /** It is over. */
  'campaign_completed',
  /** Its budget is used up, so it is paused. */
  'campaign_budget',
  /** It has waited for funds for ten minutes. */
  'campaign_funds',
  /** A file of contacts broke off. */
  'campaign_upload_failed',
] as const;
export const NOTICE_KINDS = [...ENDPOINT_NOTICE_KINDS, ...CAMPAIGN_NOTICE_KINDS] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
export type EndpointNoticeKind = (typeof ENDPOINT_NOTICE_KINDS)[number];
export type CampaignNoticeKind = (typeof CAMPAIGN_NOTICE_KINDS)[number];

const head = { id: z.guid(), created_at: z.iso.datetime({ precision: 3 }) };

/** What the members of an account should know, until one of them dismisses it. */
export const noticeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...head,
    kind: z.enum(ENDPOINT_NOTICE_KINDS),
    endpoint_id: z.guid(),
    /** The endpoint's URL. */
    url: z.string(),
    /** The receiver answered 410. */
    is_gone: z.boolean(),
  }),
  z.strictObject({
    ...head,
    kind: z.enum(CAMPAIGN_NOTICE_KINDS),
    campaign_id: z.guid(),
    campaign_name: z.string(),
    /** Of an upload that failed, if it was given. */
    file_name: z.string().nullable(),
  }),
]);
export type NoticeBody = z.output<typeof noticeSchema>;

/** `GET …/notices`: newest first, at most 20. */
export const noticeListSchema = z.strictObject({ notices: z.array(noticeSchema) });

/** `POST …/notices/{notice_id}/dismiss`. */
export const noticeParamsSchema = z.object({ notice_id: z.guid('must be a UUID').toLowerCase() });

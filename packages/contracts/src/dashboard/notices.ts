import { z } from 'zod';

export const NOTICE_KINDS = ['webhook_endpoint_failing', 'webhook_endpoint_disabled'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What the members of an account should know, until one of them dismisses it. */
export const noticeSchema = z.strictObject({
  id: z.guid(),
  kind: z.enum(NOTICE_KINDS),
  endpoint_id: z.guid(),
  /** The endpoint's URL. */
  url: z.string(),
  /** The receiver answered 410. */
  is_gone: z.boolean(),
  created_at: z.iso.datetime({ precision: 3 }),
});
export type NoticeBody = z.output<typeof noticeSchema>;

/** `GET …/notices`: newest first, at most 20. */
export const noticeListSchema = z.strictObject({ notices: z.array(noticeSchema) });

/** `POST …/notices/{notice_id}/dismiss`. */
export const noticeParamsSchema = z.object({ notice_id: z.guid('must be a UUID').toLowerCase() });

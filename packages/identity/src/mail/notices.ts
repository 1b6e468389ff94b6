import { CAMPAIGN_NOTICE_KINDS, ENDPOINT_NOTICE_KINDS, NOTICE_KINDS } from '@outdial/contracts';
import { z } from 'zod';
import type { Database } from '@outdial/persistence';
import { UnreadableEmail } from './attempt-email.ts';
import type { Email } from './mailer.ts';
import { campaignNoticeEmail, endpointNoticeEmail } from './notice-emails.ts';

/** After this time a notice is no news: the dashboard shows it. */
const LIFETIME_HOURS = 72;
const MOST_NOTICES = 100;

/**
 * Writes an e-mail for each owner with a verified address, for notices that have none yet and are of a
 * kind that this version knows. The statement that marks a notice
 * writes its e-mails, so it is mailed once, whichever process comes first.
 */
export async function announceNotices({ side }: Pick<Database, 'side'>): Promise<number> {
  return side.$executeRaw`
    WITH due AS MATERIALIZED (
      SELECT n.id FROM account_notices n
      WHERE n.mailed_at IS NULL AND n.dismissed_at IS NULL AND n.kind = ANY(${[...NOTICE_KINDS]}::text[])
        AND n.created_at > clock_timestamp() - make_interval(hours => ${LIFETIME_HOURS}::int)
      ORDER BY n.created_at LIMIT ${MOST_NOTICES}::int FOR UPDATE SKIP LOCKED
    ), marked AS (
      UPDATE account_notices n SET mailed_at = clock_timestamp() FROM due d WHERE n.id = d.id
      RETURNING n.id, n.account_id
    )
    INSERT INTO emails (id, kind, account_id, notice_id, user_id, expires_at)
    SELECT gen_random_uuid(), 'notice', n.account_id, n.id, u.id, now() + make_interval(hours => ${LIFETIME_HOURS}::int)
    FROM marked n JOIN memberships m ON m.account_id = n.account_id AND m.role = 'owner'
      JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL`;
}

const endpointNoticeSchema = z.object({
  kind: z.enum(ENDPOINT_NOTICE_KINDS),
  data: z.object({ endpoint_id: z.guid(), url: z.string(), reason: z.string().optional() }),
});
const campaignNoticeSchema = z.object({
  kind: z.enum(CAMPAIGN_NOTICE_KINDS),
  data: z.object({ campaign_id: z.guid(), name: z.string(), file_name: z.string().nullish() }),
});

export interface NoticeRow {
  readonly kind: string;
  readonly data: unknown;
  readonly accountId: string;
  readonly accountName: string;
  readonly to: string;
}

/** Null: it is dismissed or deleted, or its reader is no owner any more. @throws UnreadableEmail a newer version wrote it */
export async function composeNotice(
  { side }: Pick<Database, 'side'>,
  publicUrl: string,
  { noticeId, userId }: { readonly noticeId: string; readonly userId: string },
): Promise<Email | null> {
  const [notice] = await side.$queryRaw<NoticeRow[]>`
    SELECT n.kind, n.data, a.id AS "accountId", a.name AS "accountName", u.email AS to
    FROM account_notices n JOIN accounts a ON a.id = n.account_id
      JOIN memberships m ON m.account_id = n.account_id AND m.user_id = ${userId}::uuid AND m.role = 'owner'
      JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL
    WHERE n.id = ${noticeId}::uuid AND n.dismissed_at IS NULL`;
  if (notice === undefined) return null;
  const { to } = notice;
  const account = { accountId: notice.accountId, accountName: notice.accountName };
  const ofCampaign = campaignNoticeSchema.safeParse(notice);
  if (ofCampaign.success) {
    const { kind, data } = ofCampaign.data;
    const campaign = { campaignId: data.campaign_id, campaignName: data.name, fileName: data.file_name ?? null };
    return campaignNoticeEmail(publicUrl, to, { ...account, kind, ...campaign });
  }
  const ofEndpoint = endpointNoticeSchema.safeParse(notice);
  if (!ofEndpoint.success) throw new UnreadableEmail('a newer version wrote the notice', { cause: ofEndpoint.error });
  const { kind, data } = ofEndpoint.data;
  const endpoint = { endpointId: data.endpoint_id, url: data.url, isGone: data.reason === 'gone' };
  return endpointNoticeEmail(publicUrl, to, { ...account, kind, ...endpoint });
}

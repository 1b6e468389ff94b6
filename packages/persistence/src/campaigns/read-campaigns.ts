import type { CampaignRecord } from '@outdial/calls';
import type { AccountId, CallId, CallStatus, CampaignId, E164, EndedReason } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { CAMPAIGN_COLUMNS, CAMPAIGNS } from './campaign-record.ts';

/** The last campaign of the previous page. */
export interface CampaignCursor {
  readonly createdAtMs: number;
  readonly id: CampaignId;
}

export interface CampaignPage {
  readonly campaigns: readonly CampaignRecord[];
  readonly hasMore: boolean;
}

/** The last contact of the previous page. */
export interface ContactCursor {
  readonly upload: number;
  readonly line: number;
}

export interface ContactRecord extends ContactCursor {
  readonly number: E164;
  readonly attempts: number;
  /** The last call. */
  readonly callId: CallId | null;
  readonly callStatus: CallStatus | null;
  readonly endedReason: EndedReason | null;
}

export interface ContactPage {
  readonly contacts: readonly ContactRecord[];
  readonly hasMore: boolean;
}

/** Null: the account has no such campaign. */
export async function findCampaign(
  { side }: Database,
  accountId: AccountId,
  campaignId: CampaignId,
): Promise<CampaignRecord | null> {
  const [row] = await side.$queryRaw<CampaignRecord[]>`
    SELECT ${CAMPAIGN_COLUMNS} FROM ${CAMPAIGNS}
    WHERE g.id = ${campaignId}::uuid AND g.account_id = ${accountId}::uuid AND g.deleted_at IS NULL`;
  return row ?? null;
}

/** Newest first, by the account's index. */
export async function listCampaigns(
  { side }: Database,
  accountId: AccountId,
  { after, limit }: { readonly after: CampaignCursor | null; readonly limit: number },
): Promise<CampaignPage> {
  const isOlder =
    after === null
      ? Prisma.empty
      : Prisma.sql`AND (g.created_at, g.id) < (from_epoch_ms(${after.createdAtMs}::bigint), ${after.id}::uuid)`;
  const rows = await side.$queryRaw<CampaignRecord[]>`
    SELECT ${CAMPAIGN_COLUMNS} FROM (
      SELECT * FROM campaigns g WHERE g.account_id = ${accountId}::uuid AND g.deleted_at IS NULL ${isOlder}
      ORDER BY g.created_at DESC, g.id DESC LIMIT ${limit + 1}::int
    ) g JOIN campaign_lanes n ON n.campaign_id = g.id ORDER BY g.created_at DESC, g.id DESC`;
  return { campaigns: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** How the last call to a contact ended, or that it will have none. */
export type ContactOutcome = EndedReason | 'not_dialled';

export interface ContactQuery {
  readonly after: ContactCursor | null;
  readonly limit: number;
  /** Only those. */
  readonly outcome?: ContactOutcome | undefined;
}

/** In the order of the cursor, by the key of the contacts or of the outcomes; of each, the last attempt by the key of attempts. */
export async function listContacts(
  { side }: Database,
  campaignId: CampaignId,
  query: ContactQuery,
): Promise<ContactPage> {
  const { limit } = query;
  const rows = await side.$queryRaw<ContactRecord[]>`
    SELECT t.upload, t.line, '+' || t.number AS number, COALESCE(s.attempt, 0) AS attempts, s.call_id AS "callId",
      c.status AS "callStatus", c.ended_reason AS "endedReason"
    FROM (${pageOf(campaignId, query)}) t LEFT JOIN LATERAL (
      SELECT x.call_id, x.attempt FROM call_schedules x
      WHERE x.campaign_id = ${campaignId}::uuid AND x.contact_upload = t.upload AND x.contact_line = t.line
      ORDER BY x.attempt DESC LIMIT 1
    ) s ON true LEFT JOIN calls c ON c.id = s.call_id
    ORDER BY t.upload, t.line`;
  return { contacts: rows.slice(0, limit), hasMore: rows.length > limit };
}

function pageOf(campaignId: CampaignId, { after, limit, outcome }: ContactQuery): Prisma.Sql {
  const { upload, line } = after ?? { upload: 0, line: 0 };
  const from = Prisma.sql`(${upload}::int, ${line}::int)`;
  if (outcome === undefined) {
    return Prisma.sql`
      SELECT t.upload, t.line, t.number FROM campaign_contacts t
        JOIN campaign_uploads u ON u.campaign_id = t.campaign_id AND u.number = t.upload AND u.state = 'ready'
      WHERE t.campaign_id = ${campaignId}::uuid AND (t.upload, t.line) > ${from}
      ORDER BY t.upload, t.line LIMIT ${limit + 1}::int`;
  }
  if (outcome === 'not_dialled') {
    // The cursor of a campaign that is over moves no more: what is behind it has no call. Without statistics a join with the uploads
    // would come first, and the contacts from the beginning of theirs.
    return Prisma.sql`
      SELECT t.upload, t.line, t.number FROM (
        SELECT CASE WHEN (n.cursor_upload, n.cursor_line) > ${from} THEN n.cursor_upload ELSE ${upload}::int END AS upload,
          CASE WHEN (n.cursor_upload, n.cursor_line) > ${from} THEN n.cursor_line ELSE ${line}::int END AS line
        FROM campaign_lanes n JOIN campaigns g ON g.id = n.campaign_id
        WHERE g.id = ${campaignId}::uuid AND g.state IN ('cancelling', 'cancelled', 'completed')
      ) f CROSS JOIN LATERAL (
        SELECT t.upload, t.line, t.number FROM campaign_contacts t
        WHERE t.campaign_id = ${campaignId}::uuid AND (t.upload, t.line) > (f.upload, f.line)
          AND (SELECT u.state FROM campaign_uploads u WHERE u.campaign_id = t.campaign_id AND u.number = t.upload) = 'ready'
        ORDER BY t.upload, t.line LIMIT ${limit + 1}::int
      ) t`;
  }
  return Prisma.sql`
    SELECT o.upload, o.line, t.number FROM (
      SELECT x.upload, x.line FROM campaign_outcomes x
      WHERE x.campaign_id = ${campaignId}::uuid AND x.reason = ${outcome}::ended_reason AND (x.upload, x.line) > ${from}
      ORDER BY x.upload, x.line LIMIT ${limit + 1}::int
    ) o JOIN campaign_contacts t ON t.campaign_id = ${campaignId}::uuid AND t.upload = o.upload AND t.line = o.line`;
}

/** Calls that hold a slot: at most as many as the account has. */
export async function openCallsOf({ side }: Database, campaignId: CampaignId): Promise<readonly CallId[]> {
  const rows = await side.$queryRaw<{ id: CallId }[]>`
    SELECT c.id FROM calls c
    WHERE c.campaign_id = ${campaignId}::uuid AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL ORDER BY c.id`;
  return rows.map(({ id }) => id);
}

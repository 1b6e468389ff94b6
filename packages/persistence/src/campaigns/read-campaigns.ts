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
    SELECT ${CAMPAIGN_COLUMNS} FROM ${CAMPAIGNS} WHERE g.id = ${campaignId}::uuid AND g.account_id = ${accountId}::uuid`;
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
      SELECT * FROM campaigns g WHERE g.account_id = ${accountId}::uuid ${isOlder}
      ORDER BY g.created_at DESC, g.id DESC LIMIT ${limit + 1}::int
    ) g JOIN campaign_lanes n ON n.campaign_id = g.id ORDER BY g.created_at DESC, g.id DESC`;
  return { campaigns: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** In the order of the cursor, by the key of the contacts; of each, the last attempt by the key of attempts. */
export async function listContacts(
  { side }: Database,
  campaignId: CampaignId,
  { after, limit }: { readonly after: ContactCursor | null; readonly limit: number },
): Promise<ContactPage> {
  const from = after ?? { upload: 0, line: 0 };
  const rows = await side.$queryRaw<ContactRecord[]>`
    SELECT t.upload, t.line, '+' || t.number AS number, COALESCE(s.attempt, 0) AS attempts, s.call_id AS "callId",
      c.status AS "callStatus", c.ended_reason AS "endedReason"
    FROM (
      SELECT t.upload, t.line, t.number FROM campaign_contacts t
        JOIN campaign_uploads u ON u.campaign_id = t.campaign_id AND u.number = t.upload AND u.state = 'ready'
      WHERE t.campaign_id = ${campaignId}::uuid AND (t.upload, t.line) > (${from.upload}::int, ${from.line}::int)
      ORDER BY t.upload, t.line LIMIT ${limit + 1}::int
    ) t LEFT JOIN LATERAL (
      SELECT x.call_id, x.attempt FROM call_schedules x
      WHERE x.campaign_id = ${campaignId}::uuid AND x.contact_upload = t.upload AND x.contact_line = t.line
      ORDER BY x.attempt DESC LIMIT 1
    ) s ON true LEFT JOIN calls c ON c.id = s.call_id
    ORDER BY t.upload, t.line`;
  return { contacts: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Calls that hold a slot: at most as many as the account has. */
export async function openCallsOf({ side }: Database, campaignId: CampaignId): Promise<readonly CallId[]> {
  const rows = await side.$queryRaw<{ id: CallId }[]>`
    SELECT c.id FROM calls c
    WHERE c.campaign_id = ${campaignId}::uuid AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL ORDER BY c.id`;
  return rows.map(({ id }) => id);
}

import {
  CAMPAIGN_NOTICE_KINDS,
  NOTICE_KINDS,
  type CampaignId,
  type CampaignNoticeKind,
  type EndpointNoticeKind,
} from '@outdial/contracts';
import type { OwnContext } from './own-context.ts';

interface NoticeHead {
  readonly id: string;
  readonly createdAtMs: number;
}

export interface EndpointNotice extends NoticeHead {
  readonly about: 'endpoint';
  readonly kind: EndpointNoticeKind;
  readonly endpointId: string;
  readonly url: string;
  /** The receiver answered 410. */
  readonly isGone: boolean;
}

export interface CampaignNotice extends NoticeHead {
  readonly about: 'campaign';
  readonly kind: CampaignNoticeKind;
  readonly campaignId: CampaignId;
  readonly campaignName: string;
  /** Of an upload that failed, if it was given. */
  readonly fileName: string | null;
}

export type NoticeRecord = EndpointNotice | CampaignNotice;

type EndpointRow = Omit<EndpointNotice, 'about'> & { readonly isOfCampaign: false };
type CampaignRow = Omit<CampaignNotice, 'about'> & { readonly isOfCampaign: true };

const MOST_SHOWN = 20;

/**
 * Not dismissed, newest first. Leaves out what a newer version writes, what is about an endpoint that is deleted, and what is over:
 * a campaign that waits for funds no more, or is not paused any more.
 */
export async function listNotices({ database: { side }, accountId }: OwnContext): Promise<readonly NoticeRecord[]> {
  const rows = await side.$queryRaw<(EndpointRow | CampaignRow)[]>`
    SELECT n.id, n.kind, g.id IS NOT NULL AS "isOfCampaign", p.id AS "endpointId", p.url, COALESCE(n.data ->> 'reason' = 'gone', false) AS "isGone",
      g.id AS "campaignId", g.name AS "campaignName", n.data ->> 'file_name' AS "fileName",
      epoch_ms(n.created_at) AS "createdAtMs"
    FROM account_notices n
      LEFT JOIN webhook_endpoints p ON p.id::text = n.data ->> 'endpoint_id'
        AND p.account_id = n.account_id AND p.kind = 'standing' AND p.deleted_at IS NULL
      LEFT JOIN (campaigns g JOIN campaign_lanes l ON l.campaign_id = g.id)
        ON g.id = CASE WHEN n.kind = ANY (${[...CAMPAIGN_NOTICE_KINDS]}::text[]) THEN (n.data ->> 'campaign_id')::uuid END
        AND g.account_id = n.account_id AND CASE n.kind
          WHEN 'campaign_funds' THEN l.held_by = 'funds' WHEN 'campaign_budget' THEN g.state = 'paused' ELSE true END
    WHERE n.account_id = ${accountId}::uuid AND n.dismissed_at IS NULL AND n.kind = ANY (${[...NOTICE_KINDS]}::text[])
      AND (p.id IS NOT NULL OR g.id IS NOT NULL)
    ORDER BY n.created_at DESC, n.id LIMIT ${MOST_SHOWN}::int`;
  return rows.map(toNotice);
}

/** The row has columns of both. */
function toNotice(row: EndpointRow | CampaignRow): NoticeRecord {
  const { id, createdAtMs } = row;
  if (row.isOfCampaign) {
    const { kind, campaignId, campaignName, fileName } = row;
    return { about: 'campaign', id, createdAtMs, kind, campaignId, campaignName, fileName };
  }
  const { kind, endpointId, url, isGone } = row;
  return { about: 'endpoint', id, createdAtMs, kind, endpointId, url, isGone };
}

/** For all members. */
export async function dismissNotice({ database: { side }, accountId, actor }: OwnContext, id: string): Promise<void> {
  await side.$executeRaw`
    UPDATE account_notices SET dismissed_at = clock_timestamp(), dismissed_by = ${actor}
    WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid AND dismissed_at IS NULL`;
}

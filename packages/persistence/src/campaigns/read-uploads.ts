import type { AccountId, CampaignId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import type { UploadProblem } from './uploads.ts';

export interface UploadRecord {
  readonly number: number;
  readonly state: 'receiving' | 'ready' | 'failed';
  readonly fileName: string | null;
  readonly rows: number;
  /** Contacts that it has: those of a failed one are removed. */
  readonly accepted: number;
  readonly duplicates: number;
  readonly invalid: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly error: string | null;
}

export interface UploadPage {
  readonly uploads: readonly UploadRecord[];
  readonly hasMore: boolean;
}

export type ErrorPosition = Pick<UploadProblem, 'line' | 'column'>;

/** Of an upload `u`. */
const COLUMNS = Prisma.sql`u.number, u.state, u.file_name AS "fileName", u.rows,
  CASE u.state WHEN 'failed' THEN 0 ELSE u.accepted END AS accepted, u.duplicates, u.invalid,
  epoch_ms(u.started_at) AS "startedAtMs", epoch_ms(u.ended_at) AS "endedAtMs", u.error`;

/** Null: the account has no such campaign, or it has no such upload. */
export async function findUpload(
  { side }: Pick<Database, 'side'>,
  { accountId, campaignId, number }: { accountId: AccountId; campaignId: CampaignId; number: number },
): Promise<UploadRecord | null> {
  const [row] = await side.$queryRaw<UploadRecord[]>`
    SELECT ${COLUMNS} FROM campaign_uploads u JOIN campaigns g ON g.id = u.campaign_id
    WHERE g.id = ${campaignId}::uuid AND g.account_id = ${accountId}::uuid AND g.deleted_at IS NULL
      AND u.number = ${number}::int`;
  return row ?? null;
}

/**
 * Newest first, of a campaign that is the account's own.
 * @param before the last upload of the previous page.
 */
export async function listUploads(
  { side }: Pick<Database, 'side'>,
  campaignId: CampaignId,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<UploadPage> {
  const isOlder = before === null ? Prisma.empty : Prisma.sql`AND u.number < ${before}::int`;
  const rows = await side.$queryRaw<UploadRecord[]>`
    SELECT ${COLUMNS} FROM campaign_uploads u WHERE u.campaign_id = ${campaignId}::uuid ${isOlder}
    ORDER BY u.number DESC LIMIT ${limit + 1}::int`;
  return { uploads: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** By line, of an upload that the account has: see `findUpload`. */
export async function readUploadErrors(
  { side }: Pick<Database, 'side'>,
  { campaignId, number }: { readonly campaignId: CampaignId; readonly number: number },
  { after, limit }: { readonly after: ErrorPosition | null; readonly limit: number },
): Promise<readonly UploadProblem[]> {
  const { line, column } = after ?? { line: 0, column: '' };
  return side.$queryRaw<UploadProblem[]>`
    SELECT e.line, e."column", e.value, e.message FROM campaign_upload_errors e
    WHERE e.campaign_id = ${campaignId}::uuid AND e.upload = ${number}::int
      AND (e.line, e."column") > (${line}::int, ${column})
    ORDER BY e.line, e."column" LIMIT ${limit}::int`;
}

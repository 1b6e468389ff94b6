import type { CampaignId } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** An upload without a batch for so long is given up. */
const STANDSTILL_MINUTES = 10;
/** Of one statement: some 20 ms. */
const REMOVED_AT_ONCE = 5_000;
const GIVEN_UP_AT_ONCE = 100;
/** The sender of a file looks at what is wrong with it within days. */
const ERROR_DAYS = 30;

type Side = Pick<Database, 'side'>;

/** Gives up uploads that have not moved for ten minutes, and writes a notice to the owners. Returns how many. */
export async function giveUpUploads({ side }: Side): Promise<number> {
  const [row] = await side.$queryRaw<{ count: number }[]>`
    WITH still AS (
      SELECT u.campaign_id, u.number FROM campaign_uploads u
      WHERE u.state = 'receiving' AND u.moved_at < clock_timestamp() - ${STANDSTILL_MINUTES}::int * interval '1 minute'
      LIMIT ${GIVEN_UP_AT_ONCE}::int FOR NO KEY UPDATE SKIP LOCKED
    ), failed AS (
      UPDATE campaign_uploads u
      SET state = 'failed', ended_at = clock_timestamp(), error = 'Nothing came for ten minutes.'
      FROM still s WHERE u.campaign_id = s.campaign_id AND u.number = s.number RETURNING u.campaign_id, u.number
    ), told AS MATERIALIZED (
      SELECT tell_upload_failed(f.campaign_id, f.number) FROM failed f
    )
    SELECT count(*)::int AS count FROM told`;
  return row?.count ?? 0;
}

/**
 * Removes contacts of failed uploads, a bounded number, of one campaign or of any. Returns whether there may be more; false too
 * while others remove the rest.
 */
export async function removeSomeFailed({ side }: Side, campaignId: CampaignId | null = null): Promise<boolean> {
  const [row] = await side.$queryRaw<{ removed: number }[]>`
    SELECT remove_failed_contacts(${campaignId}::uuid, ${REMOVED_AT_ONCE}::int) AS removed`;
  return (row?.removed ?? 0) > 0;
}

/** Removes problems of uploads that ended a month ago, a bounded number. Returns whether there may be more. */
export async function removeOldErrors({ side }: Side): Promise<boolean> {
  const [row] = await side.$queryRaw<{ removed: number }[]>`
    SELECT remove_old_upload_errors(make_interval(days => ${ERROR_DAYS}::int), ${REMOVED_AT_ONCE}::int) AS removed`;
  return (row?.removed ?? 0) > 0;
}

import type { CampaignId } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** An upload without a batch for so long is given up. */
const STANDSTILL_MINUTES = 10;
/** Of one statement: some 20 ms. */
const REMOVED_AT_ONCE = 5_000;
const GIVEN_UP_AT_ONCE = 100;

export interface UploadSweep {
  /** Gives up uploads that have not moved for ten minutes. Returns how many. */
  giveUp(): Promise<number>;
  /** Removes contacts of failed uploads, a bounded number. Returns whether there may be more. */
  removeSome(): Promise<boolean>;
}

/** Any number of processes may sweep at once. */
export function createUploadSweep({ side }: Database): UploadSweep {
  return {
    giveUp: () =>
      side.$executeRaw`
        WITH still AS (
          SELECT u.campaign_id, u.number FROM campaign_uploads u
          WHERE u.state = 'receiving' AND u.moved_at < clock_timestamp() - ${STANDSTILL_MINUTES}::int * interval '1 minute'
          LIMIT ${GIVEN_UP_AT_ONCE}::int FOR NO KEY UPDATE SKIP LOCKED
        )
        UPDATE campaign_uploads u
        SET state = 'failed', ended_at = clock_timestamp(), error = 'Nothing came for ten minutes.'
        FROM still s WHERE u.campaign_id = s.campaign_id AND u.number = s.number`,
    removeSome: async () => (await removeOnce({ side }, null)) > 0,
  };
}

/** The same for one campaign. False too while others remove the rest. */
export async function removeSomeOf(database: Pick<Database, 'side'>, campaignId: CampaignId): Promise<boolean> {
  return (await removeOnce(database, campaignId)) > 0;
}

async function removeOnce({ side }: Pick<Database, 'side'>, campaignId: CampaignId | null): Promise<number> {
  const [row] = await side.$queryRaw<{ removed: number }[]>`
    SELECT remove_failed_contacts(${campaignId}::uuid, ${REMOVED_AT_ONCE}::int) AS removed`;
  return row?.removed ?? 0;
}

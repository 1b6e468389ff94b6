import type { MovedCampaign } from '@outdial/calls';
import type { AccountId, CampaignId, CampaignState } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { isLockTimeout, sqlStateOf } from '../sql-state.ts';

type Side = Pick<Database, 'side'>;

interface Row {
  readonly campaignId: CampaignId;
  readonly accountId: AccountId;
  /** Null: what it would change is locked. */
  readonly state: CampaignState | null;
}

/** Of one sweep. The others are left to the next one. */
const MOST_WAITED_FOR = 5;

/** Moves campaigns on, at most `limit`. What a transaction has locked is waited for last, each campaign apart. */
export async function moveCampaigns({ side }: Side, limit: number): Promise<readonly MovedCampaign[]> {
  const rows = await side.$queryRaw<Row[]>`
    SELECT campaign_id AS "campaignId", account_id AS "accountId", state FROM move_campaigns(${limit}::int)`;
  const moved = rows.flatMap(({ state, ...of }) => (state === null ? [] : [{ ...of, state }]));
  const locked = rows.filter(({ state }) => state === null).slice(0, MOST_WAITED_FOR);
  const later = await Promise.all(locked.map(({ campaignId }) => moveOne({ side }, campaignId)));
  return [...moved, ...later.flat()];
}

/** Waits for a moment. */
async function moveOne({ side }: Side, campaignId: CampaignId): Promise<readonly MovedCampaign[]> {
  try {
    return await side.$queryRaw<MovedCampaign[]>`
      SELECT campaign_id AS "campaignId", account_id AS "accountId", state FROM move_campaign(${campaignId}::uuid)`;
  } catch (error) {
    if (isLockTimeout(sqlStateOf(error))) return [];
    throw error;
  }
}

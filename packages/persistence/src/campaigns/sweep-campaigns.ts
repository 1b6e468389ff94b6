import type { CampaignSweepStore, OverReason } from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { END_LOCKED_UNDIALED } from '../drive/end-undialed.ts';
import type { Announcing } from '../group-commit.ts';
import { moveCampaigns } from './move-campaigns.ts';
import { removeSomeDeleted } from './remove-deleted.ts';
import { giveUpUploads, removeOldErrors, removeSomeFailed } from './sweep-uploads.ts';
import { sqlReason, sqlStatusesIn } from '../sql/call-states.ts';

export function createCampaignSweepStore(database: Database, { onCommitted }: Announcing = {}): CampaignSweepStore {
  const { side } = database;
  return {
    move: ({ limit }) => moveCampaigns(database, limit),
    async endOver({ limit }) {
      const ended = await endOver(database, limit);
      if (ended.length > 0) onCommitted?.(ended.map(({ callId }) => callId));
      return ended.map(({ reason }) => reason);
    },
    toHangUp: (input) => toHangUp(database, input),
    giveUpUploads: () => giveUpUploads(database),
    removeFailedContacts: () => removeSomeFailed(database),
    removeDeleted: () => removeSomeDeleted(database),
    removeOldErrors: () => removeOldErrors(database),
    async measure({ limit }) {
      const [row] = await side.$queryRaw<{ measured: number }[]>`SELECT measure_campaigns(${limit}::int) AS measured`;
      return row?.measured ?? 0;
    },
  };
}

/**
 * Finds the campaigns that have scheduled calls by their index, one step each, however many calls they have: so it meets also
 * those that were over before a settlement that did not know it scheduled a retry. A call that another statement has locked is
 * left to the next time.
 */
async function endOver({ side }: Database, limit: number) {
  return side.$queryRaw<{ callId: CallId; reason: OverReason }[]>`
    WITH RECURSIVE waiting AS (
      (SELECT s.campaign_id AS id FROM call_schedules s WHERE s.is_waiting AND s.campaign_id IS NOT NULL
       ORDER BY s.campaign_id LIMIT 1)
      UNION ALL
      SELECT (SELECT s.campaign_id FROM call_schedules s
        WHERE s.is_waiting AND s.campaign_id IS NOT NULL AND s.campaign_id > w.id ORDER BY s.campaign_id LIMIT 1)
      FROM waiting w WHERE w.id IS NOT NULL
    ), over AS MATERIALIZED (
      SELECT g.id, CASE WHEN g.state IN ('cancelling', 'cancelled') THEN ${sqlReason('cancelled')}::ended_reason
        ELSE ${sqlReason('schedule_expired')}::ended_reason END AS reason
      FROM waiting w JOIN campaigns g ON g.id = w.id
      WHERE g.state IN ('cancelling', 'cancelled', 'completed') OR g.ends_at <= (SELECT clock_timestamp())
    ), found AS MATERIALIZED (
      SELECT x.call_id, o.reason FROM over o, LATERAL (
        SELECT s.call_id FROM call_schedules s WHERE s.campaign_id = o.id AND s.is_waiting LIMIT ${limit}::int) x
      LIMIT ${limit}::int
    ), locked AS MATERIALIZED (
      SELECT c.id, c.created_at, f.reason, NULL::jsonb AS details FROM found f JOIN calls c ON c.id = f.call_id
      WHERE c.status IN ${sqlStatusesIn('planned')} ORDER BY c.id FOR NO KEY UPDATE OF c SKIP LOCKED
    ), ${END_LOCKED_UNDIALED}`;
}

/**
 * Open calls that no process has asked to end. A campaign without any needs no more: nothing of it was admitted after its cancellation,
 * which this statement sees.
 */
async function toHangUp({ side }: Database, { limit }: { readonly limit: number }) {
  return side.$queryRaw<{ accountId: AccountId; callId: CallId }[]>`
    WITH cancelled AS MATERIALIZED (
      SELECT g.id FROM campaigns g WHERE g.hang_up AND g.state IN ('cancelling', 'cancelled') ORDER BY g.id LIMIT 100
    ), left_open AS MATERIALIZED (
      SELECT x.* FROM cancelled g, LATERAL (
        SELECT c.id, c.account_id, c.campaign_id FROM calls c
        WHERE c.campaign_id = g.id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL AND c.end_requested_at IS NULL
        LIMIT ${limit}::int) x
    ), done AS (
      UPDATE campaigns g SET hang_up = false FROM cancelled x
      WHERE g.id = x.id AND NOT EXISTS (SELECT FROM left_open o WHERE o.campaign_id = x.id)
    )
    SELECT o.account_id AS "accountId", o.id AS "callId" FROM left_open o LIMIT ${limit}::int`;
}

import type { CallSchedule, RetryPlan } from '@outdial/calls';
import type { CallId, CampaignId, EndedReason, WaitingFor } from '@outdial/contracts';
import { Prisma } from './generated/client.ts';

/** A retry as `call_schedules` stores it. */
export interface StoredRetry {
  readonly max_attempts: number;
  readonly on: readonly EndedReason[];
  readonly after_seconds: readonly number[];
}

export interface ScheduleColumn {
  readonly scheduled_for_ms: number | null;
  readonly give_up_at_ms: number;
  readonly waiting_for: WaitingFor | null;
  readonly attempt: number;
  readonly retry_of: CallId | null;
  readonly retry: StoredRetry | null;
  readonly next_call_id: CallId | null;
  readonly campaign_id: CampaignId | null;
}

/**
 * What a due call `s` of a campaign waits for: what its campaign does. Its stock is due at once, and waits for a token of the pace, or
 * for its part of the slots. The token is counted as `take_lane_calls` does.
 */
export const CAMPAIGN_WAIT = Prisma.sql`
  (SELECT CASE WHEN g.state <> 'running' OR n.held_by IN ('budget', 'account') THEN 'campaign' WHEN n.held_by IS NOT NULL THEN n.held_by
     WHEN n.pace_tokens + g.calls_per_second::double precision * EXTRACT(epoch FROM clock_timestamp() - n.pace_at) < 1 THEN 'pace'
     ELSE 'capacity' END
   FROM campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id WHERE g.id = s.campaign_id)`;

/**
 * The schedule of a call `c`. Once it is due, it waits neither for its time nor for its calling policy any more, but for the
 * same as the call of its lane that was due first; a call of a campaign for what its campaign does. It is given up at the end of
 * its campaign.
 */
export const SCHEDULE_COLUMN = Prisma.sql`
  (SELECT jsonb_build_object('scheduled_for_ms', epoch_ms(s.scheduled_for), 'give_up_at_ms',
       epoch_ms(LEAST(s.give_up_at, (SELECT g.ends_at FROM campaigns g WHERE g.id = s.campaign_id))),
     'waiting_for', CASE WHEN NOT s.is_waiting OR s.due_at > clock_timestamp() THEN s.waiting_for
       WHEN s.campaign_id IS NOT NULL THEN ${CAMPAIGN_WAIT}
       WHEN s.waiting_for IN ('capacity', 'funds') THEN s.waiting_for
       ELSE (SELECT CASE WHEN h.waiting_for IN ('capacity', 'funds') THEN h.waiting_for END
             FROM call_schedules h
             WHERE h.account_id = s.account_id AND h.is_waiting
               AND COALESCE(h.campaign_id, h.account_id) = COALESCE(s.campaign_id, s.account_id)
             ORDER BY h.due_at, h.call_id LIMIT 1) END,
     'attempt', s.attempt, 'retry_of', s.retry_of, 'retry', s.retry,
     'next_call_id', (SELECT n.call_id FROM call_schedules n WHERE n.retry_of = s.call_id),
     'campaign_id', s.campaign_id)
   FROM call_schedules s WHERE s.call_id = c.id) AS schedule`;

export function toSchedule(column: ScheduleColumn | null): CallSchedule | null {
  if (column === null) return null;
  return {
    scheduledForMs: column.scheduled_for_ms,
    giveUpAtMs: column.give_up_at_ms,
    retry: column.retry && toRetry(column.retry),
    attempt: column.attempt,
    retryOf: column.retry_of,
    nextCallId: column.next_call_id,
    campaignId: column.campaign_id,
  };
}

function toRetry({ max_attempts: maxAttempts, on, after_seconds: afterSeconds }: StoredRetry): RetryPlan {
  return { maxAttempts, on, afterSeconds };
}

export function toStoredRetry({ maxAttempts, on, afterSeconds }: RetryPlan): StoredRetry {
  return { max_attempts: maxAttempts, on, after_seconds: afterSeconds };
}

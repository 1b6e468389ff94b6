import type { OpenCallsReading, SystemReader, SystemReading } from '@outdial/calls';
import { micros, type CampaignState } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { CAMPAIGN_WAIT } from '../schedule-column.ts';
import { sqlStatusesIn } from '../sql/call-states.ts';

/** Amounts as JSON numbers: the total of a currency stays below 2^53. */
interface SystemRow extends Omit<SystemReading, 'balances'> {
  readonly balances: readonly { readonly currency: string; readonly balanceMicros: number }[];
}

/** Campaigns that have started: the index of those that move on has them. */
const NOT_OVER: readonly CampaignState[] = ['scheduled', 'running', 'paused', 'cancelling'];

interface OpenCallsRow extends Omit<OpenCallsReading, 'openCalls'> {
  readonly openCalls: readonly (Omit<OpenCallsReading['openCalls'][number], 'heldMicros'> & {
    readonly heldMicros: number;
  })[];
}

/** Reads open calls by their own index: ended calls cost nothing. */
export function createSystemReader({ side }: Database): SystemReader {
  return {
    async openCalls(): Promise<OpenCallsReading> {
      const [row] = await side.$queryRaw<OpenCallsRow[]>`
        WITH open AS MATERIALIZED (
          SELECT c.status, c.currency, count(*)::int AS calls, sum(c.hold_micros + COALESCE(l.held, 0)) AS held,
            min(COALESCE(c.queued_at, c.created_at)) AS queued_at,
            (count(*) FILTER (WHERE c.lease_expires_at <= (SELECT clock_timestamp())))::int AS orphaned
          FROM calls c LEFT JOIN (
            SELECT t.call_id, sum(t.hold_micros) AS held FROM transfer_legs t WHERE t.settled_at IS NULL GROUP BY t.call_id
          ) l ON l.call_id = c.id
          WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL GROUP BY c.status, c.currency
        )
        SELECT
          COALESCE(json_agg(json_build_object('status', o.status, 'currency', o.currency, 'calls', o.calls,
            'heldMicros', o.held)), '[]') AS "openCalls",
          COALESCE(EXTRACT(epoch FROM clock_timestamp() - min(o.queued_at)
            FILTER (WHERE o.status IN ${sqlStatusesIn('waiting')})), 0)::double precision AS "oldestQueuedSeconds",
          COALESCE(sum(o.orphaned), 0)::int AS "orphanedCalls",
          (SELECT COALESCE(sum(w.live_calls), 0)::int FROM workers w
           WHERE w.seen_at > clock_timestamp() - interval '1 minute') AS "liveCalls"
        FROM open o`;
      invariant(row, 'an aggregate has a row');
      const openCalls = row.openCalls.map((calls) => ({ ...calls, heldMicros: micros(calls.heldMicros) }));
      return { ...row, openCalls };
    },
    async read(): Promise<SystemReading> {
      const [row] = await side.$queryRaw<SystemRow[]>`
        WITH funds AS (
          SELECT a.currency, sum(w.balance_micros) AS balance
          FROM accounts a JOIN wallets w ON w.account_id = a.id
          -- One look into the index for each account, however many calls it has.
          WHERE EXISTS (SELECT FROM calls c
            WHERE c.account_id = a.id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL OFFSET 0)
          GROUP BY a.currency
        )
        SELECT s.capacity, s.dialling_paused AS "diallingPaused",
          (SELECT GREATEST(0, EXTRACT(epoch FROM clock_timestamp() - r.completed_at))::double precision FROM retention_rounds r)
            AS "retentionLagSeconds",
          (SELECT COALESCE(json_agg(json_build_object('currency', f.currency, 'balanceMicros', f.balance)), '[]')
           FROM funds f) AS balances,
          (SELECT COALESCE(max(EXTRACT(epoch FROM clock_timestamp() - c.ended_at)), 0)::double precision
           FROM model_calls m JOIN calls c ON c.id = m.call_id WHERE m.analysis_status = 'pending')
            AS "oldestAnalysisSeconds",
          (SELECT COALESCE(json_agg(json_build_object('waitingFor', x.waiting_for, 'calls', x.calls)), '[]') FROM (
             SELECT y.waiting_for, sum(y.calls) AS calls FROM (
             SELECT CASE WHEN s.due_at > (SELECT clock_timestamp()) THEN s.waiting_for
               WHEN s.waiting_for IN ('capacity', 'funds') THEN s.waiting_for END AS waiting_for, count(*) AS calls
             FROM call_schedules s
             WHERE s.is_waiting AND (s.campaign_id IS NULL OR s.due_at > (SELECT clock_timestamp())) GROUP BY 1
             UNION ALL
             -- Counted by campaign first: each is asked once.
             SELECT ${CAMPAIGN_WAIT} AS waiting_for, s.calls FROM (
               SELECT w.campaign_id, count(*) AS calls FROM call_schedules w
               WHERE w.is_waiting AND w.campaign_id IS NOT NULL AND w.due_at <= (SELECT clock_timestamp()) GROUP BY 1) s
             ) y GROUP BY 1
           ) x) AS "scheduledCalls",
          (SELECT epoch_ms(min(s.due_at)) FROM call_schedules s
           WHERE s.is_waiting AND s.campaign_id IS NULL AND s.due_at <= (SELECT clock_timestamp()) AND NOT EXISTS (
             SELECT FROM call_schedules h
             WHERE h.account_id = s.account_id AND h.is_waiting AND h.waiting_for IN ('capacity', 'funds')))
            AS "oldestDueScheduledMs",
          (SELECT COALESCE(json_agg(json_build_object('state', g.state, 'campaigns', g.campaigns)), '[]') FROM (
             SELECT x.state, count(*) AS campaigns FROM campaigns x
             WHERE x.state IN (${Prisma.join(NOT_OVER)}) GROUP BY x.state
           ) g) AS campaigns,
          (SELECT count(*)::int FROM call_schedules s WHERE s.is_waiting AND s.campaign_id IS NOT NULL) AS "stockCalls"
        FROM system_settings s`;
      invariant(row, 'system_settings has its row');
      const { balances, ...rest } = row;
      return {
        ...rest,
        balances: balances.map(({ currency, balanceMicros }) => ({ currency, balanceMicros: micros(balanceMicros) })),
      };
    },
  };
}

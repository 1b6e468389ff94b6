import { TURN_MS, type CampaignLane, type ScheduleStore, type TakenCall, type Turn } from '@outdial/calls';
import {
  micros,
  type AccountId,
  type AgentId,
  type CallId,
  type CallingWeek,
  type CampaignId,
  type E164,
} from '@outdial/contracts';
import type { Database } from '../database.ts';

type Input<Method extends keyof ScheduleStore> = Parameters<ScheduleStore[Method]>[0];

type BegunRow = Pick<Turn, 'accountId'> & { readonly epoch: bigint };

/** A lane: single calls where there is no campaign. */
interface LaneRow extends Omit<CampaignLane, 'campaignId' | 'budgetLeftMicros' | 'window'> {
  readonly accountId: AccountId;
  readonly campaignId: CampaignId | null;
  readonly freeSlots: number;
  readonly campaignSlots: number;
  readonly budgetLeftMicros: bigint | null;
  readonly window: { readonly time_zone: string; readonly days: CallingWeek } | null;
}

export async function beginTurns(
  { side }: Database,
  { workerId, limit }: Input<'beginTurns'>,
): Promise<readonly Turn[]> {
  const begun = await side.$queryRaw<BegunRow[]>`
    SELECT account_id AS "accountId", epoch FROM begin_turns(${workerId}, ${limit}::int)`;
  if (begun.length === 0) return [];
  const lanes = await side.$queryRaw<LaneRow[]>`
    SELECT account_id AS "accountId", campaign_id AS "campaignId", agent_id AS "agentId", agent_version AS "agentVersion",
      free_slots AS "freeSlots",
      campaign_slots AS "campaignSlots", due_calls AS "dueCalls", queue_ttl_seconds AS "queueTtlSeconds",
      contacts_left AS "contactsLeft", open_calls AS "openCalls", queued_calls AS "queuedCalls", admitting_calls AS "admittingCalls",
      max_concurrent AS "maxConcurrent", weight, deficit, pace_calls AS "paceCalls",
      calls_per_second AS "callsPerSecond", budget_left_micros AS "budgetLeftMicros", calling_window AS "window"
    FROM lanes_of(${begun.map(({ accountId }) => accountId)}::uuid[])`;
  return begun.flatMap(({ accountId, epoch }) => {
    const own = lanes.filter((lane) => lane.accountId === accountId);
    const single = own.find(({ campaignId }) => campaignId === null);
    if (!single) return [];
    const { freeSlots, campaignSlots, dueCalls, queueTtlSeconds } = single;
    const campaigns = own.flatMap(toCampaignLane);
    return [{ accountId, epoch: Number(epoch), freeSlots, campaignSlots, dueCalls, queueTtlSeconds, campaigns }];
  });
}

function toCampaignLane(row: LaneRow): CampaignLane[] {
  const { accountId: _account, freeSlots: _free, campaignSlots: _slots, campaignId, ...lane } = row;
  if (campaignId === null) return [];
  const budgetLeftMicros = lane.budgetLeftMicros === null ? null : micros(lane.budgetLeftMicros);
  const window = lane.window && { timeZone: lane.window.time_zone, week: lane.window.days };
  return [{ ...lane, campaignId, budgetLeftMicros, window }];
}

interface TakenRow {
  readonly callId: CallId;
  readonly admitToken: string;
  readonly scheduledForMs: number;
  readonly agentId: AgentId;
  readonly agentVersion: number;
  readonly callerNumber: E164;
  readonly calleeNumber: E164;
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly giveUpAtMs: number;
  readonly calleeTimeZone: string | null;
}

export async function takeDue(
  { side }: Database,
  { accountId, epoch, limit, campaignId }: Input<'takeDue'>,
): Promise<readonly TakenCall[]> {
  const rows = await side.$queryRaw<TakenRow[]>`
    SELECT t.call_id AS "callId", t.admit_token::text AS "admitToken", epoch_ms(t.scheduled_for) AS "scheduledForMs",
      epoch_ms(t.give_up_at) AS "giveUpAtMs", x.*
    FROM take_lane_calls(${accountId}::uuid, ${epoch}::bigint, ${campaignId ?? accountId}::uuid, ${limit}::int) t,
      -- Given at acceptance, so that this older snapshot has them too. Not joined: Postgres would expect a thousand calls.
      LATERAL (
        SELECT c.agent_id AS "agentId", c.agent_version AS "agentVersion", c.caller_number AS "callerNumber",
          c.callee_number AS "calleeNumber", c.max_duration_seconds AS "maxDurationSeconds",
          c.ring_timeout_seconds AS "ringTimeoutSeconds", c.variables, c.request_id AS "requestId",
          c.callee_time_zone AS "calleeTimeZone"
        FROM calls c WHERE c.id = t.call_id OFFSET 0) x
    ORDER BY t.due_at, t.call_id`;
  return rows.map(({ maxDurationSeconds, ringTimeoutSeconds, ...row }) => ({
    ...row,
    accountId,
    limits: { maxDurationSeconds, ringTimeoutSeconds },
  }));
}

export async function stockCampaign(
  { side }: Database,
  { accountId, epoch, campaignId, limit }: Input<'stock'>,
): Promise<number> {
  const [row] = await side.$queryRaw<{ stocked: number }[]>`
    SELECT stock_campaign(${accountId}::uuid, ${epoch}::bigint, ${campaignId}::uuid, ${limit}::int) AS stocked`;
  return row?.stocked ?? 0;
}

/** See `end_lane_turn`. What campaigns are owed and wait for is noted first: once the turn is over, it is another one's. */
export async function endTurn({ side }: Database, input: Input<'endTurn'>): Promise<void> {
  const { accountId, epoch, notBeforeMs, campaignNotes = [] } = input;
  if (campaignNotes.length > 0) await noteCampaigns(side, { accountId, epoch, campaignNotes });
  const lanes = [
    { lane: accountId, not_before_ms: notBeforeMs },
    ...campaignNotes.map((note) => ({ lane: note.campaignId, not_before_ms: note.notBeforeMs })),
  ];
  await side.$executeRaw`
    SELECT end_lane_turn(${accountId}::uuid, ${epoch}::bigint, ${JSON.stringify(lanes)}::jsonb)`;
}

async function noteCampaigns(
  side: Database['side'],
  { accountId, epoch, campaignNotes }: Required<Pick<Input<'endTurn'>, 'accountId' | 'epoch' | 'campaignNotes'>>,
): Promise<void> {
  const notes = campaignNotes.map(({ campaignId, deficit, heldBy }) => ({ id: campaignId, deficit, held_by: heldBy }));
  await side.$executeRaw`
    WITH turn AS MATERIALIZED (
      SELECT FROM dial_turns t
      WHERE t.account_id = ${accountId}::uuid AND t.epoch = ${epoch}::bigint AND t.held_until > clock_timestamp() FOR SHARE
    )
    UPDATE campaign_lanes n SET deficit = x.deficit, held_by = x.held_by,
      held_since = CASE WHEN x.held_by IS NULL THEN NULL WHEN n.held_by IS DISTINCT FROM x.held_by THEN clock_timestamp()
        ELSE n.held_since END
    FROM jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) AS x(id uuid, deficit double precision, held_by text)
    WHERE n.campaign_id = x.id AND EXISTS (SELECT FROM turn)
      AND (n.deficit, n.held_by) IS DISTINCT FROM (x.deficit, x.held_by)`;
}

/** Longer than any turn, and than any wait between two turns of an account whose calls are due. */
const OVERLOOKED_MS = 60_000 + TURN_MS;

export async function mendTurns({ side }: Database): Promise<number> {
  const rows = await side.$queryRaw<{ accountId: AccountId }[]>`
    WITH overlooked AS MATERIALIZED (
      SELECT d.account_id, x.due_at FROM dial_turns d, LATERAL (
        -- Of lanes that call: a paused campaign's head is not overlooked.
        SELECT s.due_at FROM (
          SELECT d.account_id AS lane UNION ALL
          SELECT g.id FROM campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id
          WHERE g.account_id = d.account_id AND g.state = 'running' AND n.held_by IS NULL
        ) l, LATERAL (
          SELECT w.due_at FROM call_schedules w
          WHERE w.account_id = d.account_id AND COALESCE(w.campaign_id, w.account_id) = l.lane AND w.is_waiting
            AND w.give_up_at > (SELECT clock_timestamp())
          ORDER BY w.due_at LIMIT 1
        ) s ORDER BY s.due_at LIMIT 1
      ) x
      WHERE d.held_until <= clock_timestamp()
        AND d.due_at > GREATEST(x.due_at, clock_timestamp()) + ${OVERLOOKED_MS}::int * interval '1 millisecond'
      ORDER BY d.account_id FOR NO KEY UPDATE OF d SKIP LOCKED
    )
    UPDATE dial_turns t SET due_at = o.due_at FROM overlooked o WHERE t.account_id = o.account_id
    RETURNING t.account_id AS "accountId"`;
  return rows.length;
}

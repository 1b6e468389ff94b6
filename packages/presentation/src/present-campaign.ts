import { estimateFinish, type CampaignRecord } from '@outdial/calls';
import {
  micros,
  microsToDecimal,
  type CampaignBody,
  type CampaignHold,
  type CampaignProgress,
  type CampaignState,
  type EndedReason,
} from '@outdial/contracts';
import { timestamp, timestampOrNull } from './timestamp.ts';

const MINUTE_MS = 60_000;

export function presentCampaign(record: CampaignRecord, nowMs: number): CampaignBody {
  const { retry, budgetMicros } = record;
  return {
    id: record.id,
    state: record.state,
    name: record.name,
    calls_per_second: record.callsPerSecond,
    max_concurrent: record.maxConcurrent,
    weight: record.weight,
    window: record.window,
    ends_at: timestampOrNull(record.endsAtMs),
    budget: budgetMicros === null ? null : microsToDecimal(micros(budgetMicros)),
    agent_id: record.agentId,
    from_number: record.callerNumber,
    columns: record.columns,
    default_country: record.defaultCountry,
    retry: retry && { max_attempts: retry.max_attempts, on: [...retry.on], after_seconds: [...retry.after_seconds] },
    max_duration_seconds: record.maxDurationSeconds,
    ring_timeout_seconds: record.ringTimeoutSeconds,
    webhook_url: record.webhookUrl,
    starts_at: timestampOrNull(record.startsAtMs),
    metadata: record.metadata,
    agent_version: record.agentVersion,
    created_by: record.createdBy,
    created_at: timestamp(record.createdAtMs),
    started_at: timestampOrNull(record.startedAtMs),
    ended_at: timestampOrNull(record.endedAtMs),
    progress: progressOf(record, nowMs),
  };
}

/** Each contact up to the cursor has one chain of calls: its last call is scheduled, open, or has ended for good. */
function progressOf(record: CampaignRecord, nowMs: number): CampaignProgress {
  const { contacts, passed, open, byReason, budgetMicros, state } = record;
  const final = byReason.filter(({ isFinal }) => isFinal);
  const done = callsIn(final);
  const ended = callsIn(byReason);
  const answered = byReason.reduce((total, each) => total + each.answered, 0);
  const costMicros = byReason.reduce((total, each) => total + each.costMicros, 0);
  const untouched = contacts - passed;
  const isOver = OVER_CAMPAIGNS.has(state);
  const waiting = Math.max(0, passed - done - open);
  const reasons: Partial<Record<EndedReason, number>> = {};
  for (const { reason, calls } of final) reasons[reason] = calls;
  return {
    contacts,
    remaining: isOver ? 0 : untouched,
    waiting,
    open,
    done,
    not_dialled: isOver ? untouched : 0,
    by_reason: reasons,
    answered,
    answer_rate: ended === 0 ? null : answered / ended,
    cost: microsToDecimal(micros(BigInt(costMicros))),
    spent_percent: budgetMicros === null ? null : (100 * costMicros) / Number(budgetMicros),
    calls_last_minute: record.callsLastMinute ?? 0,
    held_by: holdOf(record),
    estimated_finish_at: finishOf(record, (untouched + waiting + open) * Math.max(1, ended / Math.max(1, done)), nowMs),
  };
}

function callsIn(counts: readonly { readonly calls: number }[]): number {
  return counts.reduce((total, { calls }) => total + calls, 0);
}

/** A campaign that has used its budget up is paused, and stays so until that changes. */
function holdOf({ state, heldBy }: CampaignRecord): CampaignHold | null {
  return state === 'running' || (state === 'paused' && heldBy === 'budget') ? heldBy : null;
}

/** Nothing more of it is dialed. */
export const OVER_CAMPAIGNS: ReadonlySet<CampaignState> = new Set(['cancelling', 'cancelled', 'completed']);

function finishOf({ state, heldBy, callsPerMinute, window }: CampaignRecord, calls: number, nowMs: number) {
  if (state !== 'running' || heldBy === 'funds' || callsPerMinute === null || callsPerMinute <= 0) return null;
  const hours = window && { timeZone: window.time_zone, week: window.days };
  return timestampOrNull(estimateFinish((calls / callsPerMinute) * MINUTE_MS, hours, nowMs));
}

import {
  itemize,
  priceUsage,
  type Call,
  type AnalysisUsage,
  type CallAnalysis,
  type CallLeg,
  type CostItem,
  type EndedCall,
  type PricedUsage,
  type SipDetails,
} from '@outdial/calls';
import { CALL_FAILURES, microsToDecimal, type CallBody, type CallFailure } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import { presentLatency } from './present-latency.ts';
import { timestamp, timestampOrNull } from './timestamp.ts';

/** A call as the interface shows it. */
export function presentCall(call: Call): CallBody {
  const usage = call.conducted ? priceUsage(call.conducted, call.usage) : NO_USAGE;
  const progress = progressOf(call, usage);
  const { schedule } = call;
  // Copied field by field: this runs for every call, and merging objects by spread is several times slower.
  return {
    id: call.id,
    owner_id: call.accountId,
    agent_id: call.agentId,
    agent_version: call.agentVersion,
    caller_number: call.callerNumber,
    callee_number: call.calleeNumber,
    direction: 'outbound',
    status: call.status,
    started_at: progress.started_at,
    answered_at: progress.answered_at,
    ended_at: progress.ended_at,
    duration_seconds: progress.duration_seconds,
    billable_seconds: progress.billable_seconds,
    answered_by: progress.answered_by,
    transcript: progress.transcript,
    summary: progress.summary,
    analysis_status: progress.analysis_status,
    analysis: progress.analysis,
    latency: progress.latency,
    review_note: call.reviewNote,
    recording_url: `/api/v1/calls/${call.id}/recording`,
    recording_status: progress.recording_status,
    cost: progress.cost,
    currency: call.currency,
    cost_breakdown: {
      reserved: microsToDecimal(call.holdMicros),
      items: progress.items,
      total: progress.cost,
    },
    usage: usage.map(presentUsage),
    ended_reason: progress.ended_reason,
    failure: progress.failure,
    sip_code: progress.sip_code,
    sip: progress.sip,
    ...(call.legs && { transfer_legs: call.legs.map(presentLeg) }),
    variables: call.variables,
    metadata: call.metadata,
    limits: {
      max_duration_seconds: call.limits.maxDurationSeconds,
      ring_timeout_seconds: call.limits.ringTimeoutSeconds,
    },
    webhook_url: call.webhookUrl,
    created_at: timestamp(call.createdAtMs),
    scheduled_for: schedule && timestampOrNull(schedule.scheduledForMs),
    expires_at: schedule && timestamp(schedule.giveUpAtMs),
    waiting_for: call.status === 'scheduled' ? call.waitingFor : null,
    attempt: schedule?.attempt ?? 1,
    retry_of: schedule?.retryOf ?? null,
    next_call_id: schedule?.nextCallId ?? null,
    campaign_id: schedule?.campaignId ?? null,
  };
}

/** The fields that become known as a call progresses. */
type Progress = Pick<
  CallBody,
  | 'started_at'
  | 'answered_at'
  | 'ended_at'
  | 'duration_seconds'
  | 'billable_seconds'
  | 'answered_by'
  | 'transcript'
  | 'summary'
  | 'analysis_status'
  | 'analysis'
  | 'latency'
  | 'recording_status'
  | 'cost'
  | 'ended_reason'
  | 'failure'
  | 'sip_code'
  | 'sip'
> & { readonly items: CallBody['cost_breakdown']['items'] };

const NOT_BEGUN: Progress = {
  started_at: null,
  answered_at: null,
  ended_at: null,
  duration_seconds: null,
  billable_seconds: 0,
  answered_by: null,
  transcript: null,
  summary: null,
  analysis_status: 'none',
  analysis: null,
  latency: null,
  recording_status: 'pending',
  cost: 0,
  items: [],
  ended_reason: null,
  failure: null,
  sip_code: null,
  sip: null,
};

const NO_USAGE: readonly PricedUsage[] = [];

function progressOf(call: Call, usage: readonly PricedUsage[]): Progress {
  switch (call.status) {
    case 'scheduled':
    case 'queued':
      return NOT_BEGUN;
    case 'dialing':
    case 'ringing':
      return { ...NOT_BEGUN, started_at: timestamp(call.startedAtMs) };
    case 'in_progress':
      return {
        ...NOT_BEGUN,
        started_at: timestamp(call.startedAtMs),
        answered_at: timestamp(call.answeredAtMs),
        answered_by: call.answeredBy,
        sip_code: call.sipCode,
      };
    case 'ended':
      return progressOfEnded(call, usage);
    default:
      return unreachable(call);
  }
}

function progressOfEnded(call: EndedCall, usage: readonly PricedUsage[]): Progress {
  return {
    started_at: timestamp(call.startedAtMs),
    answered_at: timestampOrNull(call.answeredAtMs),
    ended_at: timestamp(call.endedAtMs),
    duration_seconds: Math.floor((call.endedAtMs - call.startedAtMs) / 1_000),
    billable_seconds: call.billableSeconds,
    answered_by: call.answeredBy,
    transcript: call.transcript === null ? null : [...call.transcript],
    summary: call.summary,
    analysis_status: call.analysisStatus,
    analysis: call.analysis && presentAnalysis(call.analysis),
    latency: presentLatency(call.turnMetrics),
    recording_status: call.recordingStatus,
    cost: microsToDecimal(call.costMicros),
    items: itemize(call.rate, call, usage, call.legs).map(presentItem),
    ended_reason: call.endedReason,
    failure: call.failure === null ? null : presentFailure(call.failure),
    sip_code: call.sipCode,
    sip: call.sip && presentSip(call.sip),
  };
}

function presentAnalysis(analysis: CallAnalysis): NonNullable<CallBody['analysis']> {
  const { summary, data, success, text, model, completedAtMs, usage, costMicros } = analysis;
  const cost = microsToDecimal(costMicros);
  const used = usage.map(presentUsage);
  return { summary, data, success, text, model, completed_at: timestamp(completedAtMs), usage: used, cost };
}

function presentSip({ code, reasonPhrase, warning, q850Cause, q850Text }: SipDetails): NonNullable<CallBody['sip']> {
  return { code, reason_phrase: reasonPhrase, warning, q850_cause: q850Cause, q850_text: q850Text };
}

function presentFailure({ code, field }: CallFailure) {
  return { code, message: CALL_FAILURES[code], field };
}

function presentLeg(leg: CallLeg): NonNullable<CallBody['transfer_legs']>[number] {
  return {
    id: leg.legId,
    destination: leg.destination,
    callee_number: leg.calleeNumber,
    started_at: timestamp(leg.startedAtMs),
    answered_at: timestampOrNull(leg.answeredAtMs),
    connected_at: timestampOrNull(leg.connectedAtMs),
    ended_at: timestampOrNull(leg.endedAtMs),
    result: leg.result,
    sip_code: leg.sipCode,
    billable_seconds: leg.billableSeconds,
    cost: microsToDecimal(leg.costMicros),
  };
}

const TALK: ReadonlySet<CostItem['product']> = new Set(['talk_time', 'transfer_talk_time']);

function presentItem(item: CostItem) {
  return {
    product: item.product,
    unit_price: microsToDecimal(item.unitPriceMicros),
    // Talk time is priced by the minute and billed by the second.
    quantity: TALK.has(item.product) ? roundToMicro(item.quantity / 60) : item.quantity,
    cost: microsToDecimal(item.costMicros),
    ...('model' in item && { provider: item.provider, model: item.model, unit: item.unit }),
  };
}

function presentUsage({ component, provider, model, unit, quantity, isOwn }: AnalysisUsage) {
  return { component, provider, model, unit, quantity, own_credential: isOwn };
}

function roundToMicro(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}

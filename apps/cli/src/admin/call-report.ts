import type { Call, CallEvent, SipDetails } from '@outdial/calls';
import { CALL_FAILURES, type CallFailure } from '@outdial/contracts';
import { formatFacts, formatTable, type Column } from '../terminal/table.ts';
import { isoTime, isoTimeOrNull, money, shownMoney, shownTime } from './columns.ts';
import type { Json } from './report.ts';

/** The fields of a call that an operator sees, named as in the HTTP interface. */
export function callJson(call: Call): Json {
  const started = 'startedAtMs' in call ? call.startedAtMs : null;
  const answered = 'answeredAtMs' in call ? call.answeredAtMs : null;
  const end = call.status === 'ended' ? call : null;
  return {
    id: call.id,
    owner_id: call.accountId,
    agent_id: call.agentId,
    agent_version: call.agentVersion,
    caller_number: call.callerNumber,
    callee_number: call.calleeNumber,
    status: call.status,
    created_at: isoTime(call.createdAtMs),
    ...scheduleJson(call),
    started_at: isoTimeOrNull(started),
    answered_at: isoTimeOrNull(answered),
    ended_at: isoTimeOrNull(end?.endedAtMs ?? null),
    ended_reason: end?.endedReason ?? null,
    failure: end?.failure ? { code: end.failure.code, field: end.failure.field } : null,
    answered_by: 'answeredBy' in call ? call.answeredBy : null,
    sip_code: end?.sipCode ?? null,
    sip: end?.sip
      ? {
          code: end.sip.code,
          reason_phrase: end.sip.reasonPhrase,
          warning: end.sip.warning,
          q850_cause: end.sip.q850Cause,
          q850_text: end.sip.q850Text,
        }
      : null,
    reserved: money(call.holdMicros),
    billable_seconds: end?.billableSeconds ?? 0,
    cost: end ? money(end.costMicros) : 0,
    currency: call.currency,
    recording_status: end?.recordingStatus ?? 'pending',
    summary: end?.summary ?? null,
  };
}

function scheduleJson(call: Call) {
  const { schedule } = call;
  return {
    scheduled_for: isoTimeOrNull(schedule?.scheduledForMs ?? null),
    expires_at: isoTimeOrNull(schedule?.giveUpAtMs ?? null),
    waiting_for: call.status === 'scheduled' ? call.waitingFor : null,
    attempt: schedule?.attempt ?? 1,
    retry_of: schedule?.retryOf ?? null,
    next_call_id: schedule?.nextCallId ?? null,
    campaign_id: schedule?.campaignId ?? null,
  };
}

/** Of a scheduled call, one that could wait, and one that may be tried again. */
function scheduleFacts(call: Call): readonly (readonly [string, string])[] {
  const { schedule } = call;
  if (schedule === null) return [];
  return [
    ['Scheduled for', shownTime(schedule.scheduledForMs)],
    ['Expires', shownTime(schedule.giveUpAtMs)],
    ...(call.status === 'scheduled' ? [['Waiting for', call.waitingFor ?? '-'] as const] : []),
    ['Attempt', String(schedule.attempt)],
    ['Retry of', schedule.retryOf ?? '-'],
    ['Next call', schedule.nextCallId ?? '-'],
    ...(schedule.campaignId === null ? [] : [['Campaign', schedule.campaignId] as const]),
  ];
}

function failureFact({ code, field }: CallFailure): readonly [string, string] {
  return ['Failure', field === null ? CALL_FAILURES[code] : `${field}: ${CALL_FAILURES[code]}`];
}

export function callText(call: Call): readonly string[] {
  const end = call.status === 'ended' ? call : null;
  return formatFacts([
    ['Call', call.id],
    ['Account', call.accountId],
    ['Agent', `${call.agentId}, version ${call.agentVersion}`],
    ['From', call.callerNumber],
    ['To', call.calleeNumber],
    ['Status', call.status],
    ...scheduleFacts(call),
    ['Ended reason', end?.endedReason ?? '-'],
    ...(end?.sip ? [['SIP response', saidBy(end.sip)] as const] : []),
    ...(end?.failure ? [failureFact(end.failure)] : []),
    ['Answered by', ('answeredBy' in call ? call.answeredBy : null) ?? '-'],
    ['Reserved', shownMoney(call.holdMicros, call.currency)],
    ['Cost', end ? `${shownMoney(end.costMicros, call.currency)} for ${end.billableSeconds} billed seconds` : '-'],
    ['Recording', end?.recordingStatus ?? 'pending'],
    ['Summary', end?.summary ?? '-'],
  ]);
}

function saidBy({ code, reasonPhrase, warning, q850Cause, q850Text }: SipDetails): string {
  const cause = q850Cause === null ? null : `Q.850 ${q850Cause}${q850Text === null ? '' : ` ${q850Text}`}`;
  return [`${code} ${reasonPhrase ?? ''}`.trim(), warning, cause].filter((part) => part !== null).join('; ');
}

/** A tool's result may be long. */
const MAX_DETAIL_LENGTH = 120;

export function timelineText(events: readonly CallEvent[]): readonly string[] {
  return events.map(({ atMs, type, data }) => [isoTime(atMs), type, ...detailsOf(data)].join('  '));
}

/** Such as `code=account_disabled`: why a scheduled call was not permitted stands nowhere else. */
function detailsOf(data: CallEvent['data']): readonly string[] {
  return Object.entries(data).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${name}=${text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH)}…` : text}`;
  });
}

const DUE_COLUMNS: readonly Column<Call>[] = [
  { title: 'DUE', value: (call) => (call.status === 'scheduled' ? shownTime(call.schedule.scheduledForMs) : '') },
  { title: 'WAITING FOR', value: (call) => (call.status === 'scheduled' ? (call.waitingFor ?? '-') : '') },
];

/** When scheduled calls are due is shown where there are some. */
export function callTable(calls: readonly Call[]): readonly string[] {
  const hasDue = calls.some(({ status }) => status === 'scheduled');
  return formatTable<Call>(
    [
      { title: 'ID', value: (call) => call.id },
      { title: 'CREATED', value: (call) => shownTime(call.createdAtMs) },
      { title: 'TO', value: (call) => call.calleeNumber },
      { title: 'STATUS', value: (call) => call.status },
      ...(hasDue ? DUE_COLUMNS : []),
      { title: 'REASON', value: (call) => (call.status === 'ended' ? call.endedReason : '') },
      {
        title: 'COST',
        value: (call) => (call.status === 'ended' ? shownMoney(call.costMicros, call.currency) : ''),
        align: 'right',
      },
    ],
    calls,
    'No calls match.',
  );
}

import type { CallData, CallEvent } from '@outdial/sdk';
import { plain } from '../terminal/plain.ts';
import { facts, table } from '../terminal/table.ts';

const NONE = '-';

/** One line a call. When scheduled calls are due is shown where there are some. */
export function callTable(calls: readonly CallData[]): string {
  const hasDue = calls.some(({ status }) => status === 'scheduled');
  return table(
    ['CREATED', 'ID', 'TO', 'STATUS', 'REASON', 'SECONDS', 'COST', ...(hasDue ? ['DUE', 'WAITING FOR'] : [])],
    calls.map((call) => [
      call.created_at,
      call.id,
      call.callee_number,
      call.status,
      call.ended_reason ?? NONE,
      String(call.duration_seconds ?? NONE),
      costOf(call),
      ...(hasDue ? dueOf(call) : []),
    ]),
  );
}

/** What is known of a call, with its transcript. */
export function callText(call: CallData): string {
  return `${facts([
    ['id', call.id],
    ['to', call.callee_number],
    ['from', call.caller_number],
    ['status', call.status],
    ['reason', call.ended_reason ?? NONE],
    ['answered by', call.answered_by ?? NONE],
    ['created', call.created_at],
    ...scheduleFacts(call),
    ['seconds', String(call.duration_seconds ?? NONE)],
    ['cost', costOf(call)],
    ['recording', call.recording_status],
    ['summary', call.summary ?? NONE],
  ])}${transcriptText(call)}`;
}

/** Of a scheduled call, one that could wait, and one that may be tried again. */
function scheduleFacts(call: CallData): readonly (readonly [string, string])[] {
  if (!call.expires_at) return [];
  return [
    ['scheduled for', call.scheduled_for ?? NONE],
    ['expires', call.expires_at],
    ...(call.status === 'scheduled' ? [['waiting for', call.waiting_for ?? NONE] as const] : []),
    ['attempt', String(call.attempt)],
    ['retry of', call.retry_of ?? NONE],
    ['next call', call.next_call_id ?? NONE],
    ...(call.campaign_id ? [['campaign', call.campaign_id] as const] : []),
  ];
}

function dueOf({ status, scheduled_for: due, waiting_for: waitingFor }: CallData): readonly string[] {
  return status === 'scheduled' ? [due ?? NONE, waitingFor ?? NONE] : [NONE, NONE];
}

/** One line when a call was placed. */
export function placedText(call: CallData): string {
  return `Call ${plain(call.id)} to ${plain(call.callee_number)}: ${plain(`${call.status}${delayOf(call)}`)}\n`;
}

function delayOf({ waiting_for: waitingFor, scheduled_for: due }: CallData): string {
  if (waitingFor === 'time') return ` for ${due ?? NONE}`;
  return waitingFor === 'capacity' ? ', waiting for a free slot' : '';
}

/** One line when a followed call has ended, and its transcript. */
export function endText(call: CallData): string {
  const seconds = call.duration_seconds ?? 0;
  const next = call.next_call_id ? `next attempt: ${plain(call.next_call_id)}\n` : '';
  return `ended: ${plain(call.ended_reason ?? NONE)}, ${seconds} s, ${costOf(call)}\n${next}${transcriptText(call)}`;
}

/** `10:11:12  ringing`, in UTC. */
export function eventText({ at, type, data }: CallEvent): string {
  return `${plain(at.slice(11, 19))}  ${plain(`${type}${detailOf(type, data)}`)}\n`;
}

function detailOf(type: CallEvent['type'], data: CallEvent['data']): string {
  const { answered_by: answeredBy, scheduled_for: due, for: waitingFor } = data;
  if (type === 'answered_by' && typeof answeredBy === 'string') return ` ${answeredBy}`;
  if (type === 'scheduled' && typeof due === 'string') return ` for ${due}`;
  return type === 'waiting' && typeof waitingFor === 'string' ? ` for ${waitingFor}` : '';
}

function transcriptText({ transcript }: CallData): string {
  if (transcript === null || transcript.length === 0) return '';
  const lines = transcript.map(
    ({ role, text }) => `${plain(role)}: ${text === null ? '(not transcribed)' : plain(text)}\n`,
  );
  return `\n${lines.join('')}`;
}

function costOf({ cost, currency }: CallData): string {
  return cost === null ? NONE : `${cost} ${currency}`;
}

import type { CallData, CallEvent } from '@outdial/sdk';
import { plain } from '../terminal/plain.ts';
import { facts, table } from '../terminal/table.ts';

const NONE = '-';

/** One line a call. */
export function callTable(calls: readonly CallData[]): string {
  return table(
    ['CREATED', 'ID', 'TO', 'STATUS', 'REASON', 'SECONDS', 'COST'],
    calls.map((call) => [
      call.created_at,
      call.id,
      call.callee_number,
      call.status,
      call.ended_reason ?? NONE,
      String(call.duration_seconds ?? NONE),
      costOf(call),
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
    ['seconds', String(call.duration_seconds ?? NONE)],
    ['cost', costOf(call)],
    ['recording', call.recording_status],
    ['summary', call.summary ?? NONE],
  ])}${transcriptText(call)}`;
}

/** One line when a followed call has ended, and its transcript. */
export function endText(call: CallData): string {
  const seconds = call.duration_seconds ?? 0;
  return `ended: ${plain(call.ended_reason ?? NONE)}, ${seconds} s, ${costOf(call)}\n${transcriptText(call)}`;
}

/** `10:11:12  ringing`, in UTC. */
export function eventText({ at, type, data }: CallEvent): string {
  const answeredBy = data['answered_by'];
  const detail = type === 'answered_by' && typeof answeredBy === 'string' ? ` ${answeredBy}` : '';
  return `${plain(at.slice(11, 19))}  ${plain(`${type}${detail}`)}\n`;
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

import type { CallBody } from '@outdial/contracts';
import { WAITING_FOR_WORDS } from '../../../shared/words/call-status.ts';

type Scheduled = Pick<CallBody, 'scheduled_for' | 'expires_at' | 'waiting_for'>;

/** What the scheduled call waits for. Null: only for its turn among the calls that are due. */
function waitingFor({ waiting_for: waits, scheduled_for: at }: Scheduled, nowMs: number) {
  // Its time may have come since the call was read.
  return waits === 'time' && at !== null && Date.parse(at) <= nowMs ? null : waits;
}

/** What else the sentences say. */
interface Wording {
  readonly nowMs: number;
  /** Until when the call waits, if its timeline says so. */
  readonly until?: string | null;
  /** Formats a time. */
  readonly time: (iso: string) => string;
}

/** The state of a scheduled call in a short sentence. */
export function waitingSentence(call: Scheduled, { nowMs, until = null, time }: Wording): string {
  const waits = waitingFor(call, nowMs);
  if (waits === null) return 'Due now.';
  return `Waiting for ${WAITING_FOR_WORDS[waits]}${until === null ? '' : `, until ${time(until)}`}.`;
}

/** When a scheduled call is due, what it waits for, and when it gives up. */
export function scheduleSentences(
  call: Scheduled,
  { nowMs, until = null, time }: Wording,
): readonly [string, ...string[]] {
  const { scheduled_for: at, expires_at: end } = call;
  const waits = waitingFor(call, nowMs);
  const due = dueSentence(at, nowMs, time);
  const giveUp = end === null ? [] : [`If no worker dials it by ${time(end)}, it ends.`];
  if (waits === null) return ['The call is due now, and is queued after the calls that were due before it.', ...giveUp];
  if (waits === 'capacity') return [due, 'All slots are taken, so it waits until one is free.', ...giveUp];
  if (waits === 'funds') return [due, 'The available balance does not cover it, so it waits for funds.', ...giveUp];
  if (waits === 'window')
    return [
      due,
      `The callee’s calling hours are closed, so it waits ${untilWords('until they open', until, time)}.`,
      ...giveUp,
    ];
  if (waits === 'cap') {
    return [
      due,
      `The number was called as often as it may be, so it waits ${untilWords('until it may be called again', until, time)}.`,
      ...giveUp,
    ];
  }
  if (waits === 'campaign')
    return ['Its campaign is paused or has used up its budget, so the call waits until it goes on.', ...giveUp];
  if (waits === 'pace')
    return ['Its campaign begins only so many calls a second, so the call waits its turn.', ...giveUp];
  if (waits === 'provider')
    return ['The model’s provider takes no more calls at the moment, so the call waits for a line.', ...giveUp];
  const dueLater = at === null ? 'The call waits for its time.' : `The call is due on ${time(at)}.`;
  return [dueLater, 'Until then it reserves no funds and no slot.', ...giveUp];
}

/** A call may wait for the hours of its time long before that time. */
function dueSentence(at: string | null, nowMs: number, time: (iso: string) => string): string {
  if (at === null) return 'The call was to be dialed at once.';
  return Date.parse(at) > nowMs ? `The call was asked for ${time(at)}.` : `The call has been due since ${time(at)}.`;
}

function untilWords(words: string, until: string | null, time: (iso: string) => string): string {
  return until === null ? words : `${words}: ${time(until)}`;
}

/** Whether the call has a schedule, or a place among the attempts of a request. */
export function hasSchedule(
  call: Pick<CallBody, 'status' | 'scheduled_for' | 'expires_at' | 'retry_of' | 'next_call_id'>,
): boolean {
  return (
    call.status === 'scheduled' ||
    call.scheduled_for !== null ||
    call.expires_at !== null ||
    call.retry_of !== null ||
    call.next_call_id !== null
  );
}

import { SCHEDULE_LIMITS } from '@outdial/contracts';
import { reasonsText, waitsText } from '../../../shared/retry/retry-words.ts';
import type { PlacementSchedule } from './placement-schedule.ts';

type Retry = NonNullable<PlacementSchedule['retry']>;

/** What will happen to the call, before it is placed. `time` formats a time with its zone. */
export function placementSentences(schedule: PlacementSchedule, time: (iso: string) => string): readonly string[] {
  const { scheduled_for: at, retry } = schedule;
  const sentences = [at === undefined ? nowSentence(schedule) : `The call is dialed on ${time(at)}.`];
  if (at !== undefined) {
    sentences.push('Until then it reserves no funds and no slot. If either is short then, it waits.');
  }
  if (schedule.on_closed === 'wait') sentences.push('If the calling hours are closed, it waits until they open.');
  if (retry !== undefined) sentences.push(retrySentence(retry), 'Each attempt is a call with its own cost.');
  const giveUp = giveUpSentence(schedule, time);
  return giveUp === null ? sentences : [...sentences, giveUp];
}

function nowSentence({ on_capacity: onCapacity }: PlacementSchedule): string {
  return onCapacity === 'queue'
    ? 'The call is dialed now. If all slots are taken, it waits until one is free.'
    : 'The call is dialed now. If all slots are taken, it is not placed.';
}

function retrySentence({ max_attempts: most, on = [], after_seconds: after }: Retry): string {
  const reasons = reasonsText(on);
  const waits = waitsText(after ?? SCHEDULE_LIMITS.afterSeconds.default, most - 1);
  return `If it ends with ${reasons}, it is tried again after ${waits}, with at most ${most} calls in all.`;
}

/** Null: the call is dialed once, at once. Unless the request says when, the service gives up at these times. */
function giveUpSentence(
  { scheduled_for: at, expires_at: end, on_capacity: onCapacity, on_closed: onClosed, retry }: PlacementSchedule,
  time: (iso: string) => string,
): string | null {
  if (end !== undefined) {
    return retry === undefined
      ? `If no worker dials it by ${time(end)}, it ends.`
      : `No call begins after ${time(end)}.`;
  }
  if (retry !== undefined)
    return `No call begins more than 7 days ${at === undefined ? 'from now' : 'after that time'}.`;
  if (at !== undefined) return 'If no worker dials it within 24 hours of that time, it ends.';
  if (onClosed === 'wait') return 'If no worker dials it within 24 hours of their opening, it ends.';
  return onCapacity === 'queue' ? 'If no slot is free within the time of the queue, it ends.' : null;
}

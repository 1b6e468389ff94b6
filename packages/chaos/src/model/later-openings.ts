import type { Action } from './profile.ts';

/** A request without a key for a call that is due at once, and is retried up to twice within five minutes. */
const RETRIED_REQUEST: Action = { kind: 'schedule', pick: 64 * 64 * 73 };

/** A worker's first admission for an account goes on, message by message. */
const steps = (length: number): readonly Action[] => Array.from({ length }, () => ({ kind: 'step', pick: 0 }));

/**
 * A worker begins a turn and dies; its request to take a call arrives in the turn of another one. That one dies as well, and
 * its admission arrives when its time is over.
 */
export const TURN_OVER: readonly Action[] = [
  RETRIED_REQUEST,
  { kind: 'drain', pick: 0 },
  { kind: 'admit', pick: 0 },
  ...steps(2),
  { kind: 'kill', pick: 2 },
  { kind: 'wait', pick: 7 },
  { kind: 'admit', pick: 1 },
  ...steps(2),
  { kind: 'stray', pick: 1 },
  ...steps(6),
  { kind: 'kill', pick: 3 },
  { kind: 'wait', pick: 8 },
  { kind: 'stray', pick: 1 },
];

/**
 * A worker takes a scheduled call and dies with its admission on the way. Another one takes the call when that time is
 * over, and only then the admission arrives.
 */
const TAKEN_AGAIN: readonly Action[] = [
  RETRIED_REQUEST,
  { kind: 'drain', pick: 0 },
  { kind: 'admit', pick: 0 },
  ...steps(8),
  { kind: 'kill', pick: 2 },
  { kind: 'wait', pick: 8 },
  { kind: 'admit', pick: 1 },
  ...steps(4),
  { kind: 'stray', pick: 0 },
];

/**
 * After that, with one slot left: a call takes it, and another one waits for a slot. The slot is free again when the second
 * copy of the other one's reservation arrives.
 */
const RESERVED_LATE: readonly Action[] = [
  ...TAKEN_AGAIN,
  { kind: 'drain', pick: 0 },
  { kind: 'create', pick: 64 * 64 * 3 },
  { kind: 'drain', pick: 0 },
  { kind: 'schedule', pick: 64 * 64 * 23 },
  { kind: 'duplicate', pick: 0 },
  { kind: 'drain', pick: 0 },
  { kind: 'end', pick: 64 },
  { kind: 'drain', pick: 0 },
  { kind: 'stray', pick: 0 },
];

/** After that: the end of a call that may be retried is requested, and its worker dies before it knows. */
export const END_UNHEARD: readonly Action[] = [
  ...RESERVED_LATE,
  { kind: 'schedule', pick: 64 * (64 * 28 + 1) },
  { kind: 'drain', pick: 0 },
  // The first job is that of the call that has ended. The second one comes back while its line is looked for.
  { kind: 'take_job', pick: 0 },
  { kind: 'drain', pick: 0 },
  { kind: 'take_job', pick: 0 },
  { kind: 'drain', pick: 0 },
  { kind: 'wait', pick: 3 },
  { kind: 'take_job', pick: 0 },
  { kind: 'drain', pick: 0 },
  { kind: 'end', pick: 64 * 3 },
  { kind: 'step', pick: 0 },
  { kind: 'kill', pick: 2 },
];

/** A worker admits a scheduled call, and dials it. */
const DIALED: readonly Action[] = [
  { kind: 'admit', pick: 0 },
  { kind: 'drain', pick: 0 },
  { kind: 'take_job', pick: 0 },
  { kind: 'drain', pick: 0 },
];

/** A call was busy and its retry is dialed, and then Postgres knows of neither: the first one is still being dialed. */
export const RETRY_FORGOTTEN: readonly Action[] = [
  RETRIED_REQUEST,
  { kind: 'drain', pick: 0 },
  ...DIALED,
  { kind: 'postgres_replicate', pick: 0 },
  { kind: 'far_end', pick: 64 * 2 },
  { kind: 'drain', pick: 0 },
  { kind: 'wait', pick: 9 },
  ...DIALED,
  { kind: 'postgres_lose', pick: 0 },
];

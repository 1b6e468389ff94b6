import type { Action } from './profile.ts';

/** Two calls are talking, and will soon need more money than their first hold. */
export const TALKING: readonly Action[] = [
  { kind: 'create', pick: 0 },
  { kind: 'create', pick: 64 },
  { kind: 'drain', pick: 0 },
  { kind: 'quiet', pick: 0 },
  { kind: 'quiet', pick: 1 },
];

/** The same, and the far end hangs up both. */
export const HUNG_UP: readonly Action[] = [...TALKING, { kind: 'far_end', pick: 256 }, { kind: 'far_end', pick: 257 }];

/** A top-up is reported to the gate; the report may arrive again after a call has been charged. */
export const TOLD_TWICE: readonly Action[] = [
  ...TALKING,
  { kind: 'drain', pick: 0 },
  { kind: 'top_up', pick: 0 },
  { kind: 'step', pick: 0 },
  { kind: 'step', pick: 0 },
  { kind: 'step', pick: 0 },
  { kind: 'duplicate', pick: 0 },
  { kind: 'drain', pick: 0 },
  { kind: 'far_end', pick: 256 },
];

/** Two calls have waited in the queue past their expiry. */
export const EXPIRED: readonly Action[] = [
  { kind: 'create', pick: 0 },
  { kind: 'create', pick: 64 },
  { kind: 'drain', pick: 0 },
  { kind: 'wait', pick: 9 },
];

/** A request without a key. */
const REQUEST: Action = { kind: 'create', pick: 64 * 64 * 3 };
/** Performs the second message on its way and not the older first one. */
const OTHERS_GO_ON: readonly Action[] = Array.from({ length: 9 }, () => ({ kind: 'step', pick: 1 }));

/**
 * While one request is on its way to Postgres a second one waits to follow it, the gate is rebuilt, and a third
 * comes.
 */
export const MIXED_BATCH: readonly Action[] = [
  REQUEST,
  { kind: 'drain', pick: 0 },
  REQUEST,
  { kind: 'step', pick: 0 },
  REQUEST,
  { kind: 'step', pick: 1 },
  { kind: 'redis_flush', pick: 0 },
  { kind: 'rebuild', pick: 0 },
  ...OTHERS_GO_ON,
  REQUEST,
  ...OTHERS_GO_ON,
];

/** Two calls are talking, and the commands that enlarge their holds are on their way. */
export const GROWING: readonly Action[] = [...TALKING, { kind: 'wait', pick: 8 }, { kind: 'wait', pick: 8 }];

/** A call has talked for almost two minutes, which uses all its money. */
export const LAST_SECONDS: readonly Action[] = [
  { kind: 'create', pick: 0 },
  { kind: 'drain', pick: 0 },
  { kind: 'quiet', pick: 0 },
  { kind: 'quiet', pick: 1 },
  { kind: 'quiet', pick: 2 },
];

/** All that waits proceeds, except for the oldest message. */
const EXCEPT_THE_FIRST: Action = { kind: 'drain', pick: 1 };
/** The second worker takes the second job. */
const OTHER_WORKER: Action = { kind: 'take_job', pick: 65 };

/** A call was given its line, and while its claim is on its way the gate is rebuilt and another call gets the line. */
export const LINE_OF_BEFORE: readonly Action[] = [
  REQUEST,
  { kind: 'drain', pick: 0 },
  { kind: 'take_job', pick: 0 },
  { kind: 'drain', pick: 0 },
  { kind: 'take_job', pick: 0 },
  { kind: 'step', pick: 0 },
  { kind: 'step', pick: 0 },
  { kind: 'redis_flush', pick: 0 },
  { kind: 'rebuild', pick: 64 },
  EXCEPT_THE_FIRST,
  REQUEST,
  EXCEPT_THE_FIRST,
  OTHER_WORKER,
  EXCEPT_THE_FIRST,
  OTHER_WORKER,
  EXCEPT_THE_FIRST,
];

/** A moment passes, and a worker takes a job. */
const TAKEN: readonly Action[] = [
  { kind: 'wait', pick: 0 },
  { kind: 'take_job', pick: 0 },
  { kind: 'drain', pick: 0 },
];
const REQUEST_OF_ANOTHER: Action = { kind: 'create', pick: 64 * (64 * 3 + 1) };

/** An account has a whole line and another one waits for it; a place becomes free, and the first one asks again. */
export const MORE_THAN_HALF: readonly Action[] = [
  REQUEST,
  { kind: 'drain', pick: 0 },
  ...TAKEN,
  ...TAKEN,
  ...TAKEN,
  REQUEST,
  { kind: 'drain', pick: 0 },
  ...TAKEN,
  REQUEST_OF_ANOTHER,
  { kind: 'drain', pick: 0 },
  ...TAKEN,
  REQUEST,
  { kind: 'drain', pick: 0 },
  { kind: 'far_end', pick: 256 },
  { kind: 'drain', pick: 0 },
  { kind: 'wait', pick: 2 },
  { kind: 'take_job', pick: 1 },
  { kind: 'drain', pick: 0 },
];

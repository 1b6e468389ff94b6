import type { Action } from './profile.ts';

/** Two calls are talked on, and will soon need more money than was set aside for them at first. */
export const TALKING: readonly Action[] = [
  { kind: 'create', pick: 0 },
  { kind: 'create', pick: 64 },
  { kind: 'drain', pick: 0 },
  { kind: 'quiet', pick: 0 },
  { kind: 'quiet', pick: 1 },
];

/** The same, and both are hung up at the far end. */
export const HUNG_UP: readonly Action[] = [...TALKING, { kind: 'far_end', pick: 256 }, { kind: 'far_end', pick: 257 }];

/** A top-up is told to the gate; it may be told once more, when a call has been paid for since. */
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

/** Two calls have waited in the queue for longer than they may. */
export const EXPIRED: readonly Action[] = [
  { kind: 'create', pick: 0 },
  { kind: 'create', pick: 64 },
  { kind: 'drain', pick: 0 },
  { kind: 'wait', pick: 9 },
];

/** A request without a key. */
const REQUEST: Action = { kind: 'create', pick: 64 * 64 * 3 };
/** The second of the messages on their way goes on: the first one, which is older, does not. */
const OTHERS_GO_ON: readonly Action[] = Array.from({ length: 9 }, () => ({ kind: 'step', pick: 1 }));

/** While one request is on its way to Postgres a second one waits to follow it, the gate is rebuilt, and a third comes. */
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

/** Two calls are talked on, and the commands that ask for it are on their way. */
export const GROWING: readonly Action[] = [...TALKING, { kind: 'wait', pick: 8 }, { kind: 'wait', pick: 8 }];

/** A call has talked for almost two minutes, which is all that there is money for. */
export const LAST_SECONDS: readonly Action[] = [
  { kind: 'create', pick: 0 },
  { kind: 'drain', pick: 0 },
  { kind: 'quiet', pick: 0 },
  { kind: 'quiet', pick: 1 },
  { kind: 'quiet', pick: 2 },
];

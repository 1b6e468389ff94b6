import type { Action } from './profile.ts';

/** Requests without a key, of the first account and of the second one. */
const REQUEST: Action = { kind: 'create', pick: 64 * 64 * 3 };
const REQUEST_OF_ANOTHER: Action = { kind: 'create', pick: 64 * (64 * 3 + 1) };
/** For a call that is due at once, and is retried. */
const REQUEST_FOR_LATER: Action = { kind: 'schedule', pick: 64 * 64 * 73 };
const ALL_GO_ON: Action = { kind: 'drain', pick: 0 };

const times = (count: number, action: Action): readonly Action[] => Array.from({ length: count }, () => action);

/** The platform lists three telephones, which are all that there are. */
const LISTED: readonly Action[] = [0, 1, 2].map((pick) => ({ kind: 'suppress', pick }));
const TAKEN_OFF = times(6, { kind: 'unsuppress', pick: 0 });

/**
 * While Postgres is away the callees of two calls opt out, and one of them hangs up. The other call goes on once Postgres is
 * back.
 */
const OPTED_OUT: readonly Action[] = [
  REQUEST,
  REQUEST_OF_ANOTHER,
  ALL_GO_ON,
  { kind: 'quiet', pick: 0 },
  { kind: 'postgres_stop', pick: 0 },
  { kind: 'opt_out', pick: 64 },
  { kind: 'opt_out', pick: 65 },
  ALL_GO_ON,
  { kind: 'far_end', pick: 64 * 4 },
  ALL_GO_ON,
  { kind: 'postgres_start', pick: 0 },
  { kind: 'quiet', pick: 0 },
];

/** Requests while the number is listed, for now and for later. */
const REFUSED: readonly Action[] = [REQUEST, REQUEST_FOR_LATER, ALL_GO_ON];

/**
 * After that: a number is listed when a worker has claimed its call and looks for the carrier, and another call to it is
 * due. Once it is taken off, it is called again.
 */
export const OPTED_OUT_AND_LISTED: readonly Action[] = [
  ...OPTED_OUT,
  ...TAKEN_OFF,
  REQUEST,
  REQUEST_FOR_LATER,
  ALL_GO_ON,
  { kind: 'take_job', pick: 0 },
  ...times(2, { kind: 'step', pick: 0 }),
  ...LISTED,
  { kind: 'wait', pick: 6 },
  ALL_GO_ON,
  { kind: 'admit', pick: 0 },
  ALL_GO_ON,
  ...REFUSED,
  // What happens in one moment has no order.
  { kind: 'wait', pick: 0 },
  ...TAKEN_OFF,
  { kind: 'wait', pick: 6 },
  REQUEST,
  ALL_GO_ON,
];

const TAKEN: Action = { kind: 'take_job', pick: 0 };

/**
 * A number is listed when its call was claimed and no attempt has begun; another one when the attempt has begun, and its
 * worker does not know yet.
 */
const LISTED_BEFORE_ATTEMPT: readonly Action[] = [
  REQUEST,
  ALL_GO_ON,
  // The first job comes back once the channels are restored.
  TAKEN,
  ALL_GO_ON,
  { kind: 'wait', pick: 6 },
  TAKEN,
  ...times(3, { kind: 'step', pick: 0 }),
  ...LISTED,
  { kind: 'wait', pick: 7 },
  ALL_GO_ON,
  ...TAKEN_OFF,
  { kind: 'wait', pick: 6 },
  REQUEST,
  ALL_GO_ON,
  TAKEN,
  ...times(5, { kind: 'step', pick: 0 }),
  { kind: 'perform', pick: 0 },
  ...LISTED,
  { kind: 'wait', pick: 7 },
  ALL_GO_ON,
  ...TAKEN_OFF,
];

const WORKER_STOPS: Action = { kind: 'stop', pick: 2 };
const OTHER_WORKER_SWEEPS: Action = { kind: 'reconcile', pick: 0 };
const EXCEPT_THE_FIRST: Action = { kind: 'drain', pick: 1 };

/** After that: the driver of a call hears an opt-out, and another worker ends the call before it can store it. */
export const HEARD_BY_LAST_DRIVER: readonly Action[] = [
  ...LISTED_BEFORE_ATTEMPT,
  { kind: 'wait', pick: 6 },
  REQUEST,
  ALL_GO_ON,
  { kind: 'quiet', pick: 0 },
  { kind: 'quiet', pick: 0 },
  { kind: 'postgres_stop', pick: 0 },
  { kind: 'opt_out', pick: 64 },
  { kind: 'step', pick: 0 },
  // Nothing is on its way: the worker hears that the call is over, and tries once more.
  { kind: 'far_end', pick: 64 * 4 },
  ...times(2, { kind: 'step', pick: 0 }),
  { kind: 'postgres_start', pick: 0 },
  WORKER_STOPS,
  { kind: 'wait', pick: 11 },
  OTHER_WORKER_SWEEPS,
  EXCEPT_THE_FIRST,
  { kind: 'continue', pick: 0 },
  ALL_GO_ON,
];

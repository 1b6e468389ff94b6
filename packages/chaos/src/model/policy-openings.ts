import type { Action } from './profile.ts';

const ALL_GO_ON: Action = { kind: 'drain', pick: 0 };
const TAKEN: Action = { kind: 'take_job', pick: 0 };
const HUNG_UP: Action = { kind: 'far_end', pick: 64 * 4 };
/** A request of the first account without a key. All requests of six in a row ask for the same telephone. */
const REQUEST: Action = { kind: 'create', pick: 64 * 64 * 3 };
const QUEUED: readonly Action[] = [REQUEST, ALL_GO_ON];
/** By all, and the floor is removed. Each process knows of it a second later. */
const OPENED: readonly Action[] = [
  { kind: 'open_policies', pick: 0 },
  { kind: 'wait', pick: 7 },
];

const times = (count: number, action: Action): readonly Action[] => Array.from({ length: count }, () => action);

/** By their places among the windows of a policy. */
const WINDOWS = { never: 0, notInNewYork: 4, notInTennessee: 5, inRegionsOnly: 6, always: 7 } as const;
/** By their places among the caps of the profile. */
const CAPS = { none: 0, twice: 1, once: 4 } as const;
const OWNERS = { account: 0, floor: 2 } as const;

interface Saved {
  readonly by: keyof typeof OWNERS;
  readonly windows: keyof typeof WINDOWS;
  readonly caps?: keyof typeof CAPS;
  readonly trusts?: boolean;
}

/** The number in which `save_policy` finds these choices. */
function saved({ by, windows, caps = 'none', trusts = false }: Saved): Action {
  const others = 64 * WINDOWS[windows] + 64 * 64 * (CAPS[caps] * 2 + (trusts ? 1 : 0));
  return { kind: 'save_policy', pick: others + ((((OWNERS[by] - others) % 3) + 3) % 3) };
}

/** A call is queued; the rules change; seconds later a worker takes it. */
const queuedBefore = (...changes: readonly Action[]): readonly Action[] => [
  ...QUEUED,
  ...changes,
  { kind: 'wait', pick: 6 },
  TAKEN,
  ALL_GO_ON,
  ...OPENED,
];

/** A worker has claimed a call, and looks for the carrier. */
const CLAIMED: readonly Action[] = [TAKEN, ...times(2, { kind: 'step', pick: 0 })];

const CLOSED_IN_FLIGHT: readonly Action[] = [
  ...queuedBefore(saved({ by: 'floor', windows: 'never' })),
  ...QUEUED,
  ...CLAIMED,
  saved({ by: 'account', windows: 'never' }),
  { kind: 'wait', pick: 6 },
  ALL_GO_ON,
  ...OPENED,
  ...queuedBefore(saved({ by: 'account', windows: 'inRegionsOnly' })),
  // It names Chicago, and its number is in New York.
  ...queuedBefore(
    saved({ by: 'floor', windows: 'notInNewYork' }),
    saved({ by: 'account', windows: 'notInNewYork', trusts: true }),
  ),
  // From here on the number is in both.
  ...queuedBefore(saved({ by: 'account', windows: 'notInNewYork' })),
  ...queuedBefore({ kind: 'forget_zones', pick: 0 }, saved({ by: 'account', windows: 'notInTennessee' })),
];

/** Three calls to one number are taken together, and one is allowed. */
const CAPPED: readonly Action[] = [
  ...times(3, REQUEST),
  ALL_GO_ON,
  saved({ by: 'account', windows: 'always', caps: 'once' }),
  { kind: 'wait', pick: 6 },
  ...times(3, TAKEN),
  ALL_GO_ON,
  ...times(3, HUNG_UP),
  ALL_GO_ON,
  { kind: 'wait', pick: 6 },
];

/** After that: two calls to another number are claimed in one moment, and one of them is claimed again before it is dialed. */
export const CLOSED_AND_CAPPED: readonly Action[] = [
  ...CLOSED_IN_FLIGHT,
  ...CAPPED,
  // Counted as a request: the next ones are of another six.
  { kind: 'top_up', pick: 0 },
  ALL_GO_ON,
  ...times(3, REQUEST),
  ALL_GO_ON,
  saved({ by: 'account', windows: 'always', caps: 'twice' }),
  { kind: 'wait', pick: 6 },
  ...times(2, TAKEN),
  ...times(3, { kind: 'step', pick: 0 }),
  { kind: 'drain', pick: 1 },
  { kind: 'wait', pick: 6 },
  ALL_GO_ON,
  TAKEN,
  ALL_GO_ON,
  ...times(3, HUNG_UP),
  ALL_GO_ON,
  // What comes next is not capped by what was.
  saved({ by: 'account', windows: 'always' }),
  { kind: 'wait', pick: 6 },
];

/** The hours close when a call was claimed and no attempt at a trunk has begun. */
export const CLOSED_BEFORE_ATTEMPT: readonly Action[] = [
  ...QUEUED,
  // The first job comes back once the channels are restored.
  TAKEN,
  ALL_GO_ON,
  { kind: 'wait', pick: 6 },
  TAKEN,
  ...times(3, { kind: 'step', pick: 0 }),
  saved({ by: 'account', windows: 'never' }),
  { kind: 'wait', pick: 7 },
  ALL_GO_ON,
  ...OPENED,
];

/** A call is dialed long after it was claimed. Another one to its number waits until the cap is over. */
export const DIALED_LATE: readonly Action[] = [
  { kind: 'save_policy', pick: 64 * 7 + 2 },
  { kind: 'wait', pick: 6 },
  ...QUEUED,
  ...CLAIMED,
  { kind: 'wait', pick: 8 },
  ALL_GO_ON,
  HUNG_UP,
  ALL_GO_ON,
  { kind: 'schedule', pick: 64 * 64 * 73 },
  ALL_GO_ON,
  { kind: 'admit', pick: 0 },
  ALL_GO_ON,
  // Until the cap would be over, had the first call been dialed when it was claimed.
  { kind: 'wait', pick: 20 },
  { kind: 'admit', pick: 0 },
  ALL_GO_ON,
  TAKEN,
  ALL_GO_ON,
];

import type { Action } from './profile.ts';

const ALL_GO_ON: Action = { kind: 'drain', pick: 0 };
const ADMITTED: Action = { kind: 'admit', pick: 0 };
const DIES: Action = { kind: 'kill', pick: 2 };

const times = (count: number, action: Action): readonly Action[] => Array.from({ length: count }, () => action);

/** What is first on the wire goes on; what comes last there, with so many messages on it, overtakes it. */
const steps = (count: number) => times(count, { kind: 'step', pick: 0 });
const overtaken = (messages: number): Action => ({ kind: 'step', pick: messages - 1 });

/** By their places among the amounts of `LATER.waitsMs`. */
const WAITS = { 400: 4, 1_000: 5, 5_000: 6, 11_000: 7, 20_000: 8, 61_000: 9 } as const;
const waits = (...amounts: readonly (keyof typeof WAITS)[]): readonly Action[] =>
  amounts.map((ms) => ({ kind: 'wait', pick: WAITS[ms] }));

/** A campaign of the first account or the second, with choices that `settingsOf` finds in the number. */
const started = (choices: number, account = 0): readonly Action[] => [
  { kind: 'start_campaign', pick: 64 * (64 * choices + account) },
  ALL_GO_ON,
];

interface Chosen {
  /** By its place among so many. */
  readonly campaign: number;
  readonly of: number;
  readonly choice?: number;
}

/** The number in which an action finds a campaign, and another choice. */
function picked({ campaign, of, choice = 0 }: Chosen): number {
  const others = 64 * choice;
  return 64 * (others + ((((campaign - others) % of) + of) % of));
}

const ONLY = { campaign: 0, of: 1 };

/** A wish by its place among the wishes. */
const steered = (wish: 'pause' | 'resume' | 'cancel'): Action => ({
  kind: 'steer_campaign',
  pick: picked({ ...ONLY, choice: { pause: 0, resume: 1, cancel: 6 }[wish] }),
});
const twoContacts = (campaign: Chosen): readonly Action[] => [
  { kind: 'add_contacts', pick: picked({ ...campaign, choice: 1 }) },
  ALL_GO_ON,
];
/** The first of the calls that are up is busy. */
const BUSY: Action = { kind: 'far_end', pick: 64 * 2 };
const DIALED: readonly Action[] = [{ kind: 'take_job', pick: 0 }, ALL_GO_ON];

/** The messages of a turn up to its statement that takes calls. */
const TO_TAKE = 4;

/** While a single call has its turn, a campaign begins, which the end of the turn must not miss. */
const BEGUN_IN_TURN: readonly Action[] = [
  { kind: 'schedule', pick: 64 * 64 * 73 },
  ALL_GO_ON,
  ADMITTED,
  ...steps(2),
  ...started(5),
];

/** A campaign is paused while its first calls are on their way to be admitted, and again before its contacts are stocked. */
const PAUSED_IN_TURN: readonly Action[] = [
  ADMITTED,
  ...steps(TO_TAKE + 2),
  steered('pause'),
  overtaken(2),
  ALL_GO_ON,
  steered('resume'),
  ALL_GO_ON,
  // Until the turn that was broken off has no calls any more.
  ...waits(11_000, 5_000),
  ...twoContacts(ONLY),
  ADMITTED,
  ...steps(2),
  steered('pause'),
  overtaken(3),
  ALL_GO_ON,
  steered('resume'),
  ALL_GO_ON,
];

/** A worker dies before its turn stocks contacts. That statement arrives in the turn of another one. */
const STOCKED_LATE: readonly Action[] = [
  ...twoContacts(ONLY),
  ADMITTED,
  ...steps(3),
  DIES,
  ...waits(11_000),
  { kind: 'admit', pick: 1 },
  ...steps(1),
  { kind: 'stray', pick: 0 },
  ALL_GO_ON,
];

export const PAUSED: readonly Action[] = [...BEGUN_IN_TURN, ...PAUSED_IN_TURN, ...STOCKED_LATE];

/** A campaign is cancelled while one of its calls rings, which is busy then, and while a file arrives for it. */
const CANCELLED: readonly Action[] = [
  ...started(5),
  ADMITTED,
  ALL_GO_ON,
  ...DIALED,
  { kind: 'upload', pick: 0 },
  ALL_GO_ON,
  { kind: 'upload', pick: 1 },
  ALL_GO_ON,
  steered('cancel'),
  ALL_GO_ON,
  BUSY,
  ALL_GO_ON,
  { kind: 'sweep', pick: 0 },
  ALL_GO_ON,
  { kind: 'upload', pick: 64 * 64 + 1 },
  ALL_GO_ON,
];

/**
 * The end of a campaign is moved while one of its calls rings. That call's retry does not know it, and is on its way to be
 * admitted when the end comes.
 */
const ENDED_IN_TURN: readonly Action[] = [
  ...started(3, 1),
  // A file for it has begun, and is not ready.
  { kind: 'upload', pick: 64 * 3 },
  ALL_GO_ON,
  { kind: 'upload', pick: 1 },
  ALL_GO_ON,
  ADMITTED,
  ALL_GO_ON,
  ...times(3, { kind: 'take_job', pick: 0 }),
  ALL_GO_ON,
  { kind: 'change_campaign', pick: picked({ campaign: 1, of: 2, choice: 15 }) },
  ALL_GO_ON,
  ...times(3, BUSY),
  ALL_GO_ON,
  ...waits(61_000, 61_000, 20_000, 5_000),
  ADMITTED,
  ...steps(TO_TAKE + 2),
  ...waits(5_000),
  ...steps(1),
  ALL_GO_ON,
];

export const OVER: readonly Action[] = [...CANCELLED, ...ENDED_IN_TURN];

/** A turn takes a call a while after it has begun, and breaks off. The next turn begins before that call's time is over. */
const taken = (...more: readonly Action[]): readonly Action[] => [
  ADMITTED,
  ...steps(TO_TAKE),
  ...waits(1_000, 400),
  ...more,
  DIES,
  ...waits(5_000, 1_000, 1_000, 1_000, 1_000),
];

/** One call at a time, and contacts of the second account. */
const ONE_AT_A_TIME: readonly Action[] = [...started(137, 1), ...taken(...steps(1)), ADMITTED, ALL_GO_ON];

/** Two calls are within the budget: one that is admitted late, and one of two that are due then. */
const WITHIN_BUDGET: readonly Action[] = [
  ...started(129),
  ...taken(...steps(5)),
  ...twoContacts({ campaign: 2, of: 3 }),
  ...twoContacts({ campaign: 2, of: 3 }),
  ADMITTED,
  ALL_GO_ON,
  { kind: 'stray', pick: 1 },
  ...waits(11_000),
  ADMITTED,
  ALL_GO_ON,
];

/** A call every two seconds, also if the account has a turn before. */
const PACED: readonly Action[] = [...started(233, 1), ADMITTED, ALL_GO_ON, ...twoContacts(ONLY), ADMITTED, ALL_GO_ON];

export const BOUNDED: readonly Action[] = [...PACED, ...ONE_AT_A_TIME, ...WITHIN_BUDGET];

/** A contact is stocked, admitted and dialed, and then Postgres knows of none of it. */
export const CONTACT_FORGOTTEN: readonly Action[] = [
  ...started(5),
  { kind: 'postgres_replicate', pick: 0 },
  ADMITTED,
  ALL_GO_ON,
  ...DIALED,
  { kind: 'postgres_lose', pick: 0 },
  { kind: 'quiet', pick: 1 },
];

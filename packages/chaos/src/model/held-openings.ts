import type { Action } from './profile.ts';

const ALL_GO_ON: Action = { kind: 'drain', pick: 0 };
const ADMITTED: Action = { kind: 'admit', pick: 0 };
const TAKEN: Action = { kind: 'take_job', pick: 0 };
/** The permit to dial is over, and so is a turn's look at the time. */
const LATER: readonly Action[] = [{ kind: 'wait', pick: 6 }];
const times = (count: number, action: Action): readonly Action[] => Array.from({ length: count }, () => action);
const goes = (...actions: readonly Action[]): readonly Action[] => actions.flatMap((action) => [action, ALL_GO_ON]);

/** Of the only campaign, by the place of the wish among the wishes. */
const steered = (wish: 'pause' | 'resume' | 'cancel'): Action => ({
  kind: 'steer_campaign',
  pick: 64 * 64 * { pause: 0, resume: 1, cancel: 6 }[wish],
});
/** `change_campaign` finds the hours at four times seven; an even number closes them. */
const HOURS = { close: 28, open: 29 } as const;
const hours = (what: keyof typeof HOURS): Action => ({ kind: 'change_campaign', pick: 64 * 64 * HOURS[what] });

/** The first account's, with contacts that are called twice at most. */
const STARTED: readonly Action[] = [...goes({ kind: 'start_campaign', pick: 64 * 64 * 5 }), ...goes(ADMITTED)];

const GOES_ON: Readonly<Record<'pause' | 'close', Action>> = { pause: steered('resume'), close: hours('open') };
const STOPS: typeof GOES_ON = { pause: steered('pause'), close: hours('close') };

/** A campaign stops in one of both ways, and goes on a minute later, when none of its calls is queued any more. */
const stopped = (how: keyof typeof STOPS, while_: (stop: Action) => readonly Action[]): readonly Action[] => [
  ...while_(STOPS[how]),
  ...LATER,
  ...goes(GOES_ON[how]),
  { kind: 'wait', pick: 9 },
  ...goes(ADMITTED),
];

const whileQueued = (stop: Action): readonly Action[] => [...goes(stop), ...LATER, ...goes(TAKEN, TAKEN)];

/** A worker has claimed a call, with so many messages. What stops the campaign overtakes its next one. */
const whileClaimed =
  (messages: number) =>
  (stop: Action): readonly Action[] => [
    TAKEN,
    ...times(messages, { kind: 'step', pick: 0 }),
    stop,
    { kind: 'step', pick: 1 },
    ...LATER,
    ALL_GO_ON,
  ];

const CLAIMED = whileClaimed(2);
/** With a channel, and before an attempt at its trunk begins. */
const CLAIMED_WITH_CHANNEL = whileClaimed(3);

export const HELD: readonly Action[] = [
  ...STARTED,
  ...stopped('pause', whileQueued),
  ...stopped('close', whileQueued),
  ...stopped('pause', CLAIMED),
  ...stopped('close', CLAIMED),
];

export const HELD_BEFORE_ATTEMPT: readonly Action[] = [
  ...STARTED,
  // The first job comes back once the channels are restored.
  ...goes(TAKEN),
  ...LATER,
  ...stopped('pause', CLAIMED_WITH_CHANNEL),
  ...stopped('close', CLAIMED_WITH_CHANNEL),
];

/** Kinds of data with a retention. The ledger has none: it is never deleted. */
export const RETENTION_KINDS = ['calls', 'timelines', 'recordings', 'webhooks', 'audit', 'idempotency_keys'] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Days by kind. A kind that is missing has its default. */
export type RetentionSettings = Readonly<Partial<Record<RetentionKind, number>>>;

/** A repeat of a request whose key is forgotten would be a new call. */
export const LEAST_KEY_DAYS = 30;
export const MOST_DAYS = 36_500;

export interface RetentionProblem {
  readonly kind: RetentionKind;
  readonly message: string;
}

/** Parts of a call, which cannot outlive it: its timeline, its recording, and the webhooks about its events. */
const PARTS: Readonly<Partial<Record<RetentionKind, readonly RetentionKind[]>>> = {
  timelines: ['calls'],
  recordings: ['calls'],
  webhooks: ['timelines', 'calls'],
};

/** What is wrong with these settings; null: they are coherent. */
export function retentionProblem(settings: RetentionSettings): RetentionProblem | null {
  for (const kind of RETENTION_KINDS) {
    const days = settings[kind];
    if (days === undefined) continue;
    const least = kind === 'idempotency_keys' ? LEAST_KEY_DAYS : 1;
    if (!Number.isInteger(days) || days < least || days > MOST_DAYS)
      return { kind, message: `must be a whole number of days from ${least} to ${MOST_DAYS}` };
    for (const whole of PARTS[kind] ?? []) {
      const limit = settings[whole];
      if (limit !== undefined && days > limit)
        return {
          kind,
          message: `is ${days} days and must be at most ${limit}, the days of ${whole}, to which they belong`,
        };
    }
  }
  return null;
}

/** How long a kind is kept: its own days, or `otherwise`, but no longer than what it is a part of. Null: forever. */
export function daysOf(settings: RetentionSettings, kind: RetentionKind, otherwise: number | null): number | null {
  const own = settings[kind] ?? otherwise;
  const limits = (PARTS[kind] ?? []).flatMap((whole) => settings[whole] ?? []);
  const shortest = Math.min(own ?? Infinity, ...limits);
  return Number.isFinite(shortest) ? shortest : null;
}

/** How many days back a replay of webhooks can reach: as far as the events, and the log of what was sent. Null: no limit. */
export function replayDaysOf(settings: RetentionSettings): number | null {
  return daysOf(settings, 'webhooks', null);
}

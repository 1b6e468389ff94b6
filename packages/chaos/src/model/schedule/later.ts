import { endedReasons, type EndedReason } from '@outdial/contracts';
import type { ActionKind } from '../profile.ts';
import { settle } from '../world/clock.ts';
import type { When, World } from '../world/world.ts';
import { choose, rest, type Act } from './action.ts';
import { zoneAsked } from './policies.ts';
import { inApi, requestOf, running } from './processes.ts';

/** All that the far end, and what crashes, can end a call with, as far as a retry may help. */
export const RETRIED: readonly EndedReason[] = endedReasons.filter((reason) =>
  /^(?:busy|no_answer|carrier_unavailable|queue_expired|worker_lost|reconciled_unknown|outside_calling_window|frequency_capped)$/.test(
    reason,
  ),
);

/** The least that a request may ask for. */
export const RETRY_AFTER_SECONDS = 60;

const ON_CLOSED = ['wait', 'wait', 'reject'] as const;

const KINDS = ['later', 'later', 'later', 'for a slot', 'again'] as const;

/** Calls that are dialed later, or again. */
export const LATER_ACTS = {
  schedule: (world, pick) =>
    inApi(world, pick, (api) => {
      const request = requestOf(world, rest(pick));
      // No request of the other kind has the same key: under one key, one thing is asked.
      const key = request.key === null ? null : `later-${request.key}`;
      api.create({
        ...request,
        key,
        when: whenOf(world, key && `${request.party.accountId}/${key}`, rest(rest(pick))),
      });
    }),
  async admit({ workers }, pick) {
    choose(running(workers), pick)?.admit();
    await settle();
  },
} satisfies Partial<Record<ActionKind, Act>>;

function whenOf(world: World, name: string | null, pick: number): When {
  const known = name === null ? undefined : world.askedLater.get(name);
  const when = known ?? draw(world, pick);
  if (name !== null) world.askedLater.set(name, when);
  return when;
}

/** Most are for later; of the others some wait for a slot, and some are retried. */
function draw({ clock, profile, promises }: World, pick: number): When {
  const { later } = profile;
  if (later === null) return {};
  // Other choices than that of a key, from the same pick.
  const fresh = Math.floor(pick / 7);
  const kind = choose(KINDS, fresh);
  const other = Math.floor(fresh / KINDS.length) + promises.count();
  const aheadMs = kind === 'later' ? (choose(later.aheadMs, other) ?? 0) : 0;
  const attempts = choose(later.maxAttempts, other) ?? 1;
  const patienceMs = choose(later.patienceMs, Math.floor(other / 2)) ?? 0;
  const firstMs = clock.nowMs + aheadMs;
  return {
    expires_at: timeOf(firstMs + patienceMs),
    ...(kind === 'later' && { scheduled_for: timeOf(firstMs) }),
    ...(kind === 'for a slot' && { on_capacity: 'queue' }),
    ...(profile.caps !== null && { on_closed: choose(ON_CLOSED, other), ...zoneAsked(profile, other) }),
    ...((attempts > 1 || kind === 'again') && {
      retry: { max_attempts: Math.max(2, attempts), on: [...RETRIED], after_seconds: [RETRY_AFTER_SECONDS] },
    }),
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

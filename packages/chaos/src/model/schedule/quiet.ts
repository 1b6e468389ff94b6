import type { ActionKind } from '../profile.ts';
import { settle } from '../world/clock.ts';
import type { Message } from '../world/wire.ts';
import type { World } from '../world/world.ts';
import { choose, type Act } from './action.ts';
import { CAMPAIGN_ACTS } from './campaigns.ts';
import { LATER_ACTS } from './later.ts';
import { PROCESS_ACTS } from './processes.ts';
import { hearNext } from './telephone.ts';

const QUIET_SECONDS = [10, 30, 70];
const ROUND_MS = 5_000;
/** A bound, not an expectation: a process that retries without a pause would make the round endless. */
const MOST_STEPS = 400;

/** Time in which everything that can proceed does, as on an ordinary day. */
export const QUIET_ACTS = {
  async quiet(world, pick) {
    const seconds = choose(QUIET_SECONDS, pick) ?? 0;
    await drain(world);
    for (let passedMs = 0; passedMs < seconds * 1_000; passedMs += ROUND_MS) {
      for (const leg of world.network.legs) if (leg.phase !== 'answered') world.network.act(leg, 'answered');
      await round(world, { lengthMs: ROUND_MS, reconcile: true });
    }
    // Sends what falls due now, so that it is on its way when something else happens.
    await world.clock.advance(ROUND_MS, () => world.network.expire());
  },
  /** The same without time passing; some earlier messages stay held up. */
  async drain(world, pick) {
    const waiting = world.wire.next();
    await drain(world, new Set(waiting.filter((_, index) => Math.floor(pick / 2 ** index) % 2 === 1)));
  },
} satisfies Partial<Record<ActionKind, Act>>;

/** Lets `lengthMs` pass, and then everything that waits proceed. */
export async function round(
  world: World,
  { lengthMs, reconcile }: { readonly lengthMs: number; readonly reconcile: boolean },
): Promise<void> {
  const { nowMs: startedMs } = world.clock;
  await world.clock.advance(lengthMs, () => world.network.expire());
  if (reconcile) await PROCESS_ACTS.reconcile(world, world.promises.count());
  await PROCESS_ACTS.rebuild(world, 0);
  const { later, campaigns } = world.profile;
  if (campaigns !== null) await CAMPAIGN_ACTS.sweep(world, world.promises.count());
  if (later !== null || campaigns !== null) await LATER_ACTS.admit(world, world.promises.count());
  const jobs = [...world.redis.main.jobs].filter(([, state]) => state === 'waiting').length;
  for (let job = 0; job < jobs; job += 1) await PROCESS_ACTS.take_job(world, job);
  await drain(world);
  await world.check.afterRound(startedMs);
}

async function drain(world: World, heldUp: ReadonlySet<Message> = new Set()): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { length: invites } = world.network.invites;
    const message = world.wire.next().find((one) => !heldUp.has(one));
    if (message) await world.wire.step(message, true);
    else if (hasNews(world)) await hearNext(world, 0);
    else break;
    // Whether it may be dialed must be checked at this very moment.
    if (world.network.invites.length > invites) await world.check.look();
  }
  await settle();
}

function hasNews({ network }: World): boolean {
  return network.invites.some((leg) => leg.inbox.length > 0 && leg.owner.state === 'running');
}

import { unrest, checkAtRest } from './check/at-rest.ts';
import { checkLinesAtRest } from './check/lines-at-rest.ts';
import type { Profile } from './profile.ts';
import { NeglectWatch } from './check/neglect.ts';
import type { Moment } from './check/moment.ts';
import { goOnOrCancel, payCampaigns } from './schedule/campaigns-at-rest.ts';
import { PROCESS_ACTS } from './schedule/processes.ts';
import { round } from './schedule/quiet.ts';
import type { FarLeg } from './world/telephone-network.ts';
import type { Wire } from './world/wire.ts';
import type { World } from './world/world.ts';

const ROUND_MS = 5_000;
const LONGEST_ROUND_MS = 60_000;
/** Late messages arrive within this time after the last fault. */
const STRAYS_AFTER_MS = 45_000;
/**
 * The time by which everything must have ended: a lease, the longest ringing of a leg without a dialog, a call's
 * longest duration, and the additional time of sweeps and retries.
 */
const REST_WITHIN_MS = 15 * 60_000;

/** Then a campaign with an upload whose process is gone can be completed. */
const UPLOADS_GIVEN_UP_AFTER_MS = 10 * 60_000;

/** Scheduled calls and retries wait for their times before that. */
function restWithinMs({ later, campaigns }: Profile): number {
  const laterMs = later === null ? 0 : Math.max(...later.aheadMs) + Math.max(...later.patienceMs);
  return REST_WITHIN_MS + laterMs + (campaigns === null ? 0 : UPLOADS_GIVEN_UP_AFTER_MS);
}

/** Repairs all faults, sends no new requests, and waits until the world is at rest. */
export async function comeToRest(world: World): Promise<void> {
  const { wire, redis, postgres, promises, network } = world;
  await postgres.pauseDialling(false);
  redis.reunite();
  wire.down.delete('redis');
  if (wire.down.delete('postgres')) await postgres.restart();
  await PROCESS_ACTS.continue(world);
  await payCampaigns(world);
  let reasons: readonly string[] = [];
  const neglected = new NeglectWatch(world);
  let lengthMs = ROUND_MS;
  for (let passedMs = 0; passedMs < restWithinMs(world.profile); passedMs += lengthMs) {
    await goOnOrCancel(world);
    await round(world, { lengthMs, reconcile: true });
    if (passedMs === STRAYS_AFTER_MS) await arriveAll(wire);
    // No callee hangs up on silence: a leg that has lost its worker lasts until we end it or its longest duration is
    // over.
    for (const leg of network.legs.filter(({ owner }) => owner.state !== 'gone')) hangUp(world, leg);
    const moment = await world.check.look();
    neglected.look(moment);
    if (promises.violations.length > 0) return;
    reasons = unrest(world, moment);
    if (reasons.length === 0 && (passedMs >= STRAYS_AFTER_MS || wire.strays.length === 0)) {
      checkAtRest(world, moment);
      world.check.atRest(moment);
      if (world.profile.kinds.length > 0) await checkLinesAtRest(world);
      return;
    }
    if (passedMs > STRAYS_AFTER_MS) lengthMs = nextRoundMs(world, moment);
  }
  promises.violate('comes to rest', reasons.join('; '));
}

/** While nothing but scheduled calls is left, a round lasts until the next one is due, but a minute at most. */
function nextRoundMs({ clock }: World, { postgres: { calls } }: Moment): number {
  const open = calls.filter(({ status }) => status !== 'ended');
  if (open.some(({ status }) => status !== 'scheduled')) return ROUND_MS;
  const dueInMs = Math.min(...open.map(({ schedule }) => (schedule?.dueMs ?? 0) - clock.nowMs));
  return Math.min(Math.max(ROUND_MS, dueInMs), LONGEST_ROUND_MS);
}

/** A call that is retried rings in vain to the last. */
function hangUp({ network, profile }: World, leg: FarLeg): void {
  network.act(
    leg,
    (profile.later !== null || profile.campaigns !== null) && leg.phase !== 'answered' ? 'busy' : 'hung_up',
  );
}

async function arriveAll(wire: Wire): Promise<void> {
  for (const stray of wire.strays.slice()) await wire.arrive(stray);
}

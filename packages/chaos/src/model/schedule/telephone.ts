import type { ActionKind } from '../profile.ts';
import { settle } from '../world/clock.ts';
import type { FarEndEvent } from '../world/telephone-network.ts';
import type { World } from '../world/world.ts';
import { choose, rest, type Act } from './action.ts';

const FAR_END: readonly FarEndEvent[] = ['ringing', 'answered', 'answered', 'answered', 'hung_up'];
/** The same where calls are retried. */
const FAR_END_OF_RETRIED: readonly FarEndEvent[] = ['ringing', 'answered', 'busy', 'busy', 'hung_up'];

/** Telephones ring, are picked up and hung up. */
export const TELEPHONE_ACTS = {
  far_end({ network, profile }, pick) {
    const leg = choose(network.legs, pick);
    const events = profile.later === null ? FAR_END : FAR_END_OF_RETRIED;
    if (leg) network.act(leg, choose(events, rest(pick)) ?? 'ringing');
  },
} satisfies Partial<Record<ActionKind, Act>>;

/** A driver receives the next event of one of its legs, if there is one. */
export async function hearNext({ network, workers }: World, pick: number): Promise<void> {
  const heard = network.invites.filter((leg) => leg.inbox.length > 0 && leg.owner.state === 'running');
  const leg = choose(heard, pick);
  if (!leg) return;
  workers.find(({ process }) => process === leg.owner)?.hear(leg);
  await settle();
}

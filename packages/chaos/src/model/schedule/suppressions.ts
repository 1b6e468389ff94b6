import type { ActionKind } from '../profile.ts';
import { calleesOf } from '../processes/fixtures.ts';
import { settle } from '../world/clock.ts';
import { choose, rest, type Act } from './action.ts';

/** Of one account or, once in so many times, of the platform. */
const PLATFORM_EVERY = 4;
/** Of callees who opt out, so many are hung up on at once. */
const HANG_UP_EVERY = 2;

/** Numbers are put on do-not-call lists and taken off, by customers, operators and callees. */
export const SUPPRESSION_ACTS = {
  async suppress({ parties, profile, postgres }, pick) {
    const callee = choose(calleesOf(profile), pick);
    const party = choose(parties, rest(pick));
    if (!callee || !party) return;
    const isOfPlatform = rest(rest(pick)) % PLATFORM_EVERY === 0;
    await postgres.suppress({ callee, account: isOfPlatform ? null : party.accountId });
  },
  unsuppress: ({ postgres }, pick) => postgres.unsuppress(pick),
  async opt_out({ optOuts }, pick) {
    await optOuts.say(pick, { hangsUp: rest(pick) % HANG_UP_EVERY === 0 });
    await settle();
  },
} satisfies Partial<Record<ActionKind, Act>>;

import type { ActionKind } from '../profile.ts';
import { settle } from '../world/clock.ts';
import { choose, rest, type Act } from './action.ts';

/** Mostly an answer of a model, sometimes more than a hold has left. */
const TOKENS = [1, 3, 10, 10, 30, 30, 80, 200];

/** The models of a call report what they have used, also after its end. */
export const USAGE_ACTS = {
  async use_models({ usage }, pick) {
    usage.report(pick, choose(TOKENS, rest(pick)) ?? 0);
    await settle();
  },
} satisfies Partial<Record<ActionKind, Act>>;

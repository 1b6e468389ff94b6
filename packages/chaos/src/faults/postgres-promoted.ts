import type { Fault } from './fault.ts';
import { promoteStandby } from './promote-standby.ts';

/** Of the first accepted call after the promotion. */
const ACCEPTED_WITHIN_MS = 2_000;

/** Every process knows both hosts, and no proxy leads to the primary. That each accepted call is in it is an invariant. */
export const postgresPromoted: Fault = {
  name: 'postgres-promoted',
  expectation: 'every process finds the new primary without a restart, and it has every accepted call',
  carrier: 'simulated',
  layout: 'replicated',
  async run(context) {
    const { hit, recoveryMs, violations } = await promoteStandby(context);
    return {
      injected: 1,
      hit,
      recoveryMs,
      timings: [{ what: 'the first accepted call', tookMs: recoveryMs, promisedMs: ACCEPTED_WITHIN_MS }],
      violations,
    };
  },
};

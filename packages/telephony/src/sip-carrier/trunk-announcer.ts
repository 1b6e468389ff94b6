import type { TrunkBreakerState } from '@outdial/calls';
import type { TrunkName } from '@outdial/contracts';
import { unreachable, type Logger } from '@outdial/kernel';

/** Logs each change of a trunk once, however many calls and workers find it out. */
export class TrunkAnnouncer {
  readonly #logger: Logger;
  readonly #told = new Map<TrunkName, string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  announce(trunk: TrunkName, verdict: TrunkBreakerState): void {
    const state = stateOf(verdict);
    const before = this.#told.get(trunk);
    if (before === state) return;
    if (state === undefined) this.#told.delete(trunk);
    else this.#told.set(trunk, state);
    this.#say(trunk, verdict);
  }

  /** A trunk that is disabled or removed has no state that could end. */
  forgetAllBut(trunks: readonly TrunkName[]): void {
    for (const name of this.#told.keys()) if (!trunks.includes(name)) this.#told.delete(name);
  }

  #say(trunk: TrunkName, verdict: TrunkBreakerState): void {
    switch (verdict.kind) {
      case 'closed':
      case 'suspected':
        return this.#logger.info({ trunk }, 'the trunk takes calls again');
      case 'half_open':
        return this.#logger.info(
          { trunk, reason: verdict.outage.problem },
          'the trunk is tried with one call at a time',
        );
      case 'open': {
        const { problem: reason, detail } = verdict.outage;
        // Only an operator mends it.
        if (reason === 'unauthorized') {
          return this.#logger.error({ trunk, reason, detail }, 'the trunk refuses our credentials: correct them');
        }
        return this.#logger.warn({ trunk, reason, detail }, 'the trunk takes no calls');
      }
      default:
        return unreachable(verdict);
    }
  }
}

/** Undefined for a trunk that takes calls. */
function stateOf(verdict: TrunkBreakerState): string | undefined {
  switch (verdict.kind) {
    case 'closed':
    case 'suspected':
      return undefined;
    case 'half_open':
      return verdict.kind;
    case 'open':
      return `open, ${verdict.outage.problem}`;
    default:
      return unreachable(verdict);
  }
}

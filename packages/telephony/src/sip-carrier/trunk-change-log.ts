import type { TrunkBreakerState } from '@outdial/calls';
import type { TrunkName } from '@outdial/contracts';
import { unreachable, type Logger } from '@outdial/kernel';

/** Logs each change of a trunk once, however many calls and workers find it. */
export class TrunkChangeLog {
  readonly #logger: Logger;
  readonly #logged = new Map<TrunkName, string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  announce(trunk: TrunkName, verdict: TrunkBreakerState): void {
    const state = stateOf(verdict);
    const before = this.#logged.get(trunk);
    if (before === state) return;
    if (state === undefined) this.#logged.delete(trunk);
    else this.#logged.set(trunk, state);
    this.#log(trunk, verdict);
  }

  /** A trunk that is disabled or removed has no state that could end. */
  forgetAllBut(trunks: readonly TrunkName[]): void {
    for (const name of this.#logged.keys()) if (!trunks.includes(name)) this.#logged.delete(name);
  }

  #log(trunk: TrunkName, verdict: TrunkBreakerState): void {
    switch (verdict.kind) {
      case 'closed':
      case 'suspected':
        return this.#logger.info({ event: 'trunk.up', trunk }, 'the trunk takes calls again');
      case 'half_open':
        return this.#logger.info(
          { event: 'trunk.half_open', trunk, reason: verdict.outage.problem },
          'the trunk is tried with one call at a time',
        );
      case 'open': {
        const { problem: reason, detail } = verdict.outage;
        // Only an operator can fix it.
        if (reason === 'unauthorized') {
          return this.#logger.error(
            { event: 'trunk.credentials_rejected', trunk, reason, detail },
            'the trunk rejects our credentials: correct them',
          );
        }
        return this.#logger.warn({ event: 'trunk.down', trunk, reason, detail }, 'the trunk takes no calls');
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

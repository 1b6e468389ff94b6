import type { GenerationLimit } from '@outdial/calls';
import { createFairLimiter, type Clock, type FairLimiter } from '@outdial/kernel';

interface Turn {
  /** There is a place: the text may be spoken. */
  readonly begin: () => void;
  /** There was none in time, or too many wait. */
  readonly refused: () => void;
}

/** Shorter than a voice may be silent: a call that waits is not to look like a provider that fails. */
const WAIT_MS = 2_500;
const MOST_WAITING = 1_000;
const MOST_WAITING_OF_ACCOUNT = 200;

/**
 * The texts that voices speak now, of all calls of this process, by what has the limit. Accounts get places in turn; of a
 * limit that accounts share, an account leaves a quarter to others.
 */
export class Generations {
  readonly #clock: Clock;
  readonly #limiters = new Map<string, { readonly limiter: FairLimiter; users: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns ends the generation, or the wait for it; idempotent */
  start(limit: GenerationLimit, { begin, refused }: Turn): () => void {
    const name = `${limit.key} ${limit.most}`;
    const used = this.#limiters.get(name) ?? { limiter: limiterOf(limit), users: 0 };
    used.users += 1;
    this.#limiters.set(name, used);
    let state: 'waiting' | 'running' | 'over' = 'waiting';
    let release: (() => void) | undefined;
    const giveUp = () => {
      if (state !== 'waiting') return;
      state = 'over';
      refused();
    };
    const timer = this.#clock.after(WAIT_MS, giveUp);
    const generation = used.limiter.run(limit.accountId, () => {
      timer.cancel();
      if (state !== 'waiting') return Promise.resolve();
      state = 'running';
      const isOver = new Promise<void>((resolve) => (release = resolve));
      begin();
      return isOver;
    });
    void generation.catch(giveUp).finally(() => {
      timer.cancel();
      used.users -= 1;
      if (used.users === 0) this.#limiters.delete(name);
    });
    return () => {
      state = 'over';
      timer.cancel();
      release?.();
    };
  }
}

function limiterOf({ most, isShared }: GenerationLimit): FairLimiter {
  return createFairLimiter({
    maxRunning: most,
    maxRunningPerLane: isShared ? Math.max(1, most - Math.ceil(most / 4)) : most,
    maxWaiting: MOST_WAITING,
    maxWaitingPerLane: MOST_WAITING_OF_ACCOUNT,
  });
}

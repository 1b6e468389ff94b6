import { pause, type Clock } from '@outdial/kernel';

export interface RoundsOptions<Hint> {
  readonly clock: Clock;
  /** How long a change without a hint may go unnoticed, and the delay after a read that failed. */
  readonly everyMs: number;
  /** The pause after each read, with or without hints. Defaults to none. */
  readonly gapMs?: number;
  /** Whether anything is followed. If not, nothing is read. */
  readonly isWanted: () => boolean;
  /** Reads the news about the hinted ids; null: about everything that is followed. */
  readonly read: (hinted: ReadonlySet<Hint> | null) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Reads for all followers together, one read at a time. */
export interface Rounds<Hint> {
  /** A follower was added. */
  begin(): void;
  /** This has changed: it is read at once, or with all others that change while a read is in flight. */
  hint(hint: Hint): void;
  /** Resolves when no read is in flight. None starts after that. */
  stop(): Promise<void>;
}

/**
 * Reads in rounds: hinted ids at once, and everything every `everyMs`, because a hint may be lost. What changes during
 * a round is read in the next, so that rounds grow with the load and do not pile up.
 */
export function createRounds<Hint>(options: RoundsOptions<Hint>): Rounds<Hint> {
  const { clock, everyMs, gapMs = 0, isWanted, read, onError } = options;
  let hinted = new Set<Hint>();
  let rest = new AbortController();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  const goesOn = () => isWanted() && !stopping.signal.aborted;

  async function run(): Promise<void> {
    let lookAtAllMs = clock.monotonicMs() + everyMs;
    while (goesOn()) {
      if (hinted.size === 0) await restFor(lookAtAllMs - clock.monotonicMs());
      if (!goesOn()) break;
      const isDue = clock.monotonicMs() >= lookAtAllMs;
      const news = isDue ? null : hinted;
      hinted = new Set();
      if (isDue) lookAtAllMs = clock.monotonicMs() + everyMs;
      try {
        await read(news);
        if (gapMs > 0) await pause(clock, gapMs, stopping.signal);
      } catch (error) {
        onError(error);
        await pause(clock, everyMs, stopping.signal);
        // A read of everything covers the hinted ids.
        lookAtAllMs = clock.monotonicMs();
      }
    }
    hinted.clear();
    running = null;
  }

  async function restFor(ms: number): Promise<void> {
    rest = new AbortController();
    await pause(clock, ms, rest.signal);
  }

  return {
    begin() {
      if (!stopping.signal.aborted) running ??= run();
    },
    hint(hint) {
      hinted.add(hint);
      rest.abort();
    },
    async stop() {
      stopping.abort();
      rest.abort();
      await running;
    },
  };
}

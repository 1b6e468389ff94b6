import { pause, type Clock } from '@outdial/kernel';

export interface RoundsOptions<Hint> {
  readonly clock: Clock;
  /** How long what no hint told of may go unnoticed, and how long to wait after a reading that failed. */
  readonly everyMs: number;
  /** To rest after each reading, hints or not; none unless given. */
  readonly gapMs?: number;
  /** Whether anybody still follows anything; without, nothing is read. */
  readonly isWanted: () => boolean;
  /** Looks for news of what was hinted at; null: of everything that is followed. */
  readonly read: (hinted: ReadonlySet<Hint> | null) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Readings for all who follow together, one at a time. */
export interface Rounds<Hint> {
  /** Somebody follows from now on. */
  begin(): void;
  /** This has changed: it is looked at at once, or with all others that change while a reading is under way. */
  hint(hint: Hint): void;
  /** Resolves when no reading is under way; there will be no other. */
  stop(): Promise<void>;
}

/**
 * Reads in rounds: what hints name as soon as they do, and everything every `everyMs`, because a hint may be
 * lost. What changes during a round goes with the next, so that rounds grow with the load and do not pile up.
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
        // Whatever was hinted at is among everything.
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

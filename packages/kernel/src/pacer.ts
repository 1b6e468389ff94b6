import { pause, type Clock } from './clock.ts';

export interface PacerOptions {
  /** Never runs twice at once. Must not reject. @returns how soon something may be to do, in milliseconds; null: not known */
  readonly round: () => Promise<number | null>;
  /** The longest time between two rounds. */
  readonly everyMs: number;
  /** The shortest time between the beginnings of two rounds, however many hints come. */
  readonly gapMs: number;
  readonly clock: Clock;
}

/** Repeats rounds: at a steady pace, and soon after a hint that there is something to do. */
export interface Pacer {
  start(): void;
  hint(): void;
  /** Resolves once the running round is over. */
  stop(): Promise<void>;
}

export function createPacer({ round, everyMs, gapMs, clock }: PacerOptions): Pacer {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  let isHinted = false;
  let resting = new AbortController();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // A hint from now on may be about something that this round does not see.
      isHinted = false;
      const beganAtMs = clock.monotonicMs();
      const nextInMs = await round();
      if (!isHinted && !signal.aborted) {
        resting = new AbortController();
        await pause(clock, Math.min(everyMs, nextInMs ?? everyMs), resting.signal);
      }
      await pause(clock, gapMs - (clock.monotonicMs() - beganAtMs), signal);
    }
  }

  return {
    start: () => void (running ??= run()),
    hint() {
      isHinted = true;
      resting.abort();
    },
    async stop() {
      stopping.abort();
      resting.abort();
      await running;
    },
  };
}

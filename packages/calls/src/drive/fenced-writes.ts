import type { Clock, Logger } from '@outdial/kernel';
import { RowRejected } from '../ports/accept-store.ts';
import type { FencedOutcome } from '../ports/drive-store.ts';

/** One write of a call's driver. May be repeated. */
export type FencedWrite = () => Promise<FencedOutcome>;

/** The writes of a call in progress, in order, one at a time. */
export interface FencedWrites {
  push(write: FencedWrite): void;
  /**
   * No more writes come. Resolves once the pushed writes have been tried; a write that fails now because a store is away
   * is dropped, because the settlement includes it.
   */
  finish(): Promise<void>;
  /** Writes nothing more. */
  stop(): void;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;

export function createFencedWrites(deps: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onFenced: () => void;
  readonly onEndRequested: () => void;
}): FencedWrites {
  const waiting: FencedWrite[] = [];
  let hurried = false;
  let stopped = false;
  let working: Promise<void> | null = null;
  let endPause: (() => void) | undefined;

  async function work(): Promise<void> {
    for (let write = waiting.shift(); write; write = waiting.shift()) await attempt(write);
    working = null;
  }

  async function attempt(write: FencedWrite): Promise<void> {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
      if (await succeeds(write)) return;
      if (hurried) return;
      await pauseFor(delayMs);
    }
  }

  async function succeeds(write: FencedWrite): Promise<boolean> {
    if (stopped) return true;
    try {
      const outcome = await write();
      if (stopped) return true;
      if (outcome.kind === 'fenced') deps.onFenced();
      else if (outcome.endRequested) deps.onEndRequested();
      return true;
    } catch (error) {
      deps.logger.debug({ event: 'call.write_failed', err: error }, 'a write of a call failed');
      // A write that is rejected for its data would be rejected forever and block those behind it.
      return error instanceof RowRejected;
    }
  }

  function pauseFor(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = deps.clock.after(delayMs, resolve);
      endPause = () => {
        timer.cancel();
        resolve();
      };
    });
  }

  return {
    push(write) {
      if (hurried) return;
      waiting.push(write);
      working ??= work();
    },
    async finish() {
      hurried = true;
      endPause?.();
      await working;
    },
    stop() {
      hurried = true;
      stopped = true;
      waiting.length = 0;
      endPause?.();
    },
  };
}

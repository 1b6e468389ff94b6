import type { Logger } from '@outdial/kernel';
import type { CallConsumer } from '@outdial/queue';

/** Why a worker that is at work takes no calls for a while. */
export type HoldReason = 'dialling_paused' | 'draining';

/** Whether calls are taken off the queue: once started, for as long as nothing speaks against it. */
export interface Taking {
  start(): void;
  hold(reason: HoldReason, isHeld: boolean): void;
  /** The process ends: it takes no more, whatever comes. */
  stop(): void;
  readonly isStarted: boolean;
}

export function createTaking(deps: {
  readonly consumer: Pick<CallConsumer, 'start' | 'stopTaking'>;
  readonly logger: Logger;
}): Taking {
  const { consumer, logger } = deps;
  const holds = new Set<HoldReason>();
  let started = false;
  let taking = false;

  function reconsider(): void {
    const wanted = started && holds.size === 0;
    if (wanted === taking) return;
    taking = wanted;
    if (wanted) consumer.start();
    else consumer.stopTaking().catch((error: unknown) => logger.warn({ err: error }, 'still taking calls'));
  }

  return {
    start() {
      started = true;
      reconsider();
    },
    hold(reason, isHeld) {
      if (isHeld) holds.add(reason);
      else holds.delete(reason);
      reconsider();
    },
    // Not by `reconsider`: whoever stops waits for the consumer itself.
    stop() {
      started = false;
      taking = false;
    },
    get isStarted() {
      return started;
    },
  };
}

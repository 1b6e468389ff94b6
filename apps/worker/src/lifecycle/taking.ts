import type { Logger } from '@outdial/kernel';
import type { CallConsumer } from '@outdial/queue';

/** Why a running worker takes no calls for now. */
export type HoldReason = 'dialling_paused' | 'draining';

/** Controls whether calls are taken off the queue: from the start on, while no reason speaks against it. */
export interface Taking {
  start(): void;
  hold(reason: HoldReason, isHeld: boolean): void;
  /** The process ends: it takes no more calls, whatever happens. */
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
    else
      consumer
        .stopTaking()
        .catch((error: unknown) =>
          logger.warn(
            { event: 'worker.stop_taking_failed', err: error },
            'the consumer did not confirm that it takes no more calls',
          ),
        );
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
    // Not through `reconsider`: the shutdown waits for the consumer itself.
    stop() {
      started = false;
      taking = false;
    },
    get isStarted() {
      return started;
    },
  };
}

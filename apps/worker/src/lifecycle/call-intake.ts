import type { Logger } from '@outdial/kernel';
import type { CallConsumer } from '@outdial/queue';

/** Why a running worker takes no calls for now. */
export type PauseReason = 'dialling_paused' | 'draining';

/** Controls whether calls are taken off the queue: from the start on, while there is no reason to pause. */
export interface CallIntake {
  start(): void;
  setPaused(reason: PauseReason, isPaused: boolean): void;
  /** The process ends: it takes no more calls, whatever happens. */
  stop(): void;
  readonly isStarted: boolean;
}

export function createCallIntake(deps: {
  readonly consumer: Pick<CallConsumer, 'start' | 'stopTaking'>;
  readonly logger: Logger;
}): CallIntake {
  const { consumer, logger } = deps;
  const pauses = new Set<PauseReason>();
  let started = false;
  let isTaking = false;

  function reconsider(): void {
    const wanted = started && pauses.size === 0;
    if (wanted === isTaking) return;
    isTaking = wanted;
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
    setPaused(reason, isPaused) {
      if (isPaused) pauses.add(reason);
      else pauses.delete(reason);
      reconsider();
    },
    // Not through `reconsider`: the shutdown waits for the consumer itself.
    stop() {
      started = false;
      isTaking = false;
    },
    get isStarted() {
      return started;
    },
  };
}

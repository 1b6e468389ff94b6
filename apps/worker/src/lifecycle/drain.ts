import type { CallDriver } from '@outdial/calls';
import { pause, type Clock, type Logger } from '@outdial/kernel';
import type { CallConsumer } from '@outdial/queue';

export interface DrainDeps {
  readonly consumer: Pick<CallConsumer, 'stopTaking'>;
  readonly driver: Pick<CallDriver, 'liveCalls' | 'idle' | 'hangUpAll' | 'handOverAll'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The consumer takes nothing from the moment it is asked; its confirmation needs a Redis that answers. */
const STOP_TAKING_WITHIN_MS = 1_000;

/** A hang-up is confirmed and settled within a second; a process that is being stopped must not wait forever. */
const END_WITHIN_MS = 4_000;

/** One statement, in a Postgres that has most likely just failed to settle. */
const HAND_OVER_WITHIN_MS = 2_000;

/**
 * Takes no more calls and lets the live ones end. Calls left after `limitMs`, or when `hurry` aborts, are hung up and
 * settled here: a leg lives in its process, so no other process can continue it. A call that cannot be settled, because
 * the far end or Postgres does not answer, is left to the reconcile loop of another worker.
 *
 * Resolves at the latest seven seconds after the limit, whatever the stores do; never rejects.
 */
export async function drain(deps: DrainDeps, limitMs: number, hurry: AbortSignal): Promise<void> {
  const { consumer, driver, clock, logger } = deps;
  const stopped = consumer
    .stopTaking()
    .catch((error: unknown) =>
      logger.warn(
        { event: 'worker.stop_taking_failed', err: error },
        'the consumer did not confirm that it takes no more calls',
      ),
    );
  await Promise.race([stopped, pause(clock, STOP_TAKING_WITHIN_MS)]);
  logger.info({ event: 'drain.started', liveCalls: driver.liveCalls(), limitMs }, 'draining');
  await Promise.race([driver.idle(), pause(clock, limitMs, hurry)]);
  if (driver.liveCalls() === 0) return;
  logger.warn({ event: 'drain.hanging_up', liveCalls: driver.liveCalls() }, 'hanging up calls that have not ended');
  driver.hangUpAll();
  await Promise.race([driver.idle(), pause(clock, END_WITHIN_MS)]);
  if (driver.liveCalls() === 0) return;
  logger.warn(
    { event: 'drain.handing_over', liveCalls: driver.liveCalls() },
    'handing over calls that could not be settled',
  );
  await Promise.race([driver.handOverAll(), pause(clock, HAND_OVER_WITHIN_MS)]);
}

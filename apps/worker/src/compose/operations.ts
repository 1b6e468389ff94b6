import type { CallDriver } from '@outdial/calls';
import type { Clock, Logger } from '@outdial/kernel';
import { createWorkerRegistry, isDiallingPaused, type Database } from '@outdial/persistence';
import { subscribeToOperationSignals, type CallConsumer, type RedisClient } from '@outdial/queue';
import { createDiallingWatch } from '../lifecycle/dialling-watch.ts';
import type { Loop } from '../loops/loop.ts';
import { createRegistration, type Registration } from '../lifecycle/registration.ts';
import { createCallIntake, type CallIntake } from '../lifecycle/call-intake.ts';

export interface OperationsOptions {
  readonly database: Database;
  /** A connection used for subscriptions alone. */
  readonly subscriber: RedisClient;
  readonly consumer: CallConsumer;
  readonly driver: Pick<CallDriver, 'liveCalls'>;
  readonly workerId: string;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What operators see of this worker, and their requests to it and to all workers. */
export interface Operations {
  readonly intake: CallIntake;
  readonly registration: Registration;
  prepare(): Promise<void>;
  startLoops(): readonly Loop[];
}

export function composeOperations(options: OperationsOptions): Operations {
  const { database, subscriber, consumer, driver, workerId, concurrency, clock, logger } = options;
  const intake = createCallIntake({ consumer, logger });
  const dialling = createDiallingWatch({
    isPaused: () => isDiallingPaused(database),
    onChanged: (isPaused) => intake.setPaused('dialling_paused', isPaused),
    clock,
    logger,
  });
  const registration = createRegistration({
    registry: createWorkerRegistry(database),
    workerId,
    concurrency,
    liveCalls: () => driver.liveCalls(),
    onDrain: (shouldDrain) => intake.setPaused('draining', shouldDrain),
    clock,
    logger,
  });
  const look = () => {
    dialling.look();
    registration.look();
  };
  return {
    intake,
    registration,
    async prepare() {
      await subscribeToOperationSignals({ redis: subscriber, onChanged: look });
    },
    startLoops: () => [dialling.start()],
  };
}

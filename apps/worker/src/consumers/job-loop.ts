import type { CallId } from '@outdial/contracts';
import { createCallConsumer, type CallConsumerOptions } from '@outdial/queue';
import type { Loop } from '../loops/loop.ts';

export interface JobLoopOptions extends Pick<
  CallConsumerOptions,
  'name' | 'redis' | 'clock' | 'logger' | 'concurrency'
> {
  /** `stopping` asks it to return its job, or to end it. */
  readonly handle: (id: CallId, stopping: AbortSignal) => ReturnType<CallConsumerOptions['handle']>;
}

/** Takes jobs off a queue that only waits, for a provider or a person, until it is stopped. */
export function startJobLoop({ handle, ...options }: JobLoopOptions): Loop {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  const consumer = createCallConsumer({
    ...options,
    handle(id) {
      const run = handle(id, stopping.signal);
      const settled: Promise<unknown> = Promise.allSettled([run]).then(() => running.delete(settled));
      running.add(settled);
      return run;
    },
  });
  consumer.start();
  return {
    async stop() {
      const stopped = consumer.stopTaking();
      stopping.abort();
      await Promise.all(running);
      await stopped;
      await consumer.close();
    },
  };
}

import type { CallQueue } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { createBatcher, type Logger } from '@outdial/kernel';

export interface BatchedQueue {
  /** Resolves when the queue has the calls. The request does not wait for it. */
  readonly add: CallQueue['add'];
  /** Resolves when every call added so far has reached the queue or failed to. */
  idle(): Promise<void>;
}

const MAX_JOBS = 200;

/** Collects the calls accepted while an add is in flight, and adds them in one command. */
export function createBatchedQueue(queue: Pick<CallQueue, 'add'>, logger: Logger): BatchedQueue {
  const batcher = createBatcher<CallId, void>({
    maxItems: MAX_JOBS,
    async flush(callIds) {
      try {
        await queue.add(callIds);
        return callIds.map(() => ({ ok: true, value: undefined }));
      } catch (error) {
        // Logged once per batch: the reconcile loop finds and adds each of these calls.
        logger.warn(
          { event: 'queue.add_failed', err: error, calls: callIds.length },
          'the queue did not take the calls: the reconcile loop adds them',
        );
        return callIds.map(() => ({ ok: false, error }));
      }
    },
  });
  return {
    add: async (callIds) => void (await Promise.all(callIds.map((callId) => batcher.submit(callId)))),
    idle: () => batcher.idle(),
  };
}

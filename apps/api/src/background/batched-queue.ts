import type { CallQueue } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { createBatcher, type Logger } from '@outdial/kernel';

export interface BatchedQueue {
  /** Resolves when the queue has the calls. A caller that does not wait costs its request nothing. */
  readonly add: CallQueue['add'];
  /** Resolves when all that was added has reached the queue or failed to. */
  idle(): Promise<void>;
}

const MAX_JOBS = 200;

/** Adds what was accepted while the last add was under way in one command. */
export function createBatchedQueue(queue: Pick<CallQueue, 'add'>, logger: Logger): BatchedQueue {
  const batcher = createBatcher<CallId, void>({
    maxItems: MAX_JOBS,
    async flush(callIds) {
      try {
        await queue.add(callIds);
        return callIds.map(() => ({ ok: true, value: undefined }));
      } catch (error) {
        // Said once per batch: each of these calls is found and added by the reconcile loop.
        logger.warn({ err: error, calls: callIds.length }, 'calls left to reconcile: the queue did not take them');
        return callIds.map(() => ({ ok: false, error }));
      }
    },
  });
  return {
    add: async (callIds) => void (await Promise.all(callIds.map((callId) => batcher.submit(callId)))),
    idle: () => batcher.idle(),
  };
}

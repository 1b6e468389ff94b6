import type { CallId } from '@outdial/contracts';
import type { Logger } from '@outdial/kernel';
import type { CallQueue } from '../ports/call-queue.ts';
import type { Observer } from '../ports/observer.ts';
import type { ReconcileStore } from '../ports/reconcile-store.ts';
import { endQueuedCalls, type EndQueuedDeps } from '../settle/end-queued-calls.ts';

/** The oldest calls come first; calls beyond this bound follow once the older ones are dialed or expired. */
const MAX_CALLS_PER_SWEEP = 2_000;

/** Long enough for the add that follows an accept, so that a sweep does not repeat that work. */
const REQUEUE_AFTER_MS = 15_000;

export interface RequeueDeps {
  readonly reconcileStore: Pick<ReconcileStore, 'queuedCalls'>;
  readonly queue: CallQueue;
  readonly observer?: Observer;
  readonly logger: Logger;
}

/** Handles unclaimed calls: past their time they end `queue_expired`, the others get back a job that was lost. */
export async function reconcileQueue(deps: RequeueDeps & EndQueuedDeps): Promise<void> {
  const queued = await deps.reconcileStore.queuedCalls({ olderThanMs: REQUEUE_AFTER_MS, limit: MAX_CALLS_PER_SWEEP });
  const expired = queued.filter((call) => call.expired).map((call) => call.callId);
  const waiting = queued.filter((call) => !call.expired).map((call) => call.callId);
  if (expired.length > 0) await endQueuedCalls(deps, expired, { reason: 'queue_expired' });
  await requeue(deps, waiting);
}

/** Gives every queued call a job, however young: for a Redis that has lost everything. */
export async function requeueAll(deps: RequeueDeps): Promise<void> {
  const queued = await deps.reconcileStore.queuedCalls({ olderThanMs: 0, limit: MAX_CALLS_PER_SWEEP });
  await requeue(
    deps,
    queued.map((call) => call.callId),
  );
}

/** The call's row is the outbox: it has whatever the queue lost. */
async function requeue(deps: RequeueDeps, callIds: readonly CallId[]): Promise<void> {
  if (callIds.length === 0) return;
  const missing = await deps.queue.missing(callIds);
  if (missing.length === 0) return;
  await deps.queue.add(missing);
  deps.observer?.found('lost_job', missing.length);
  deps.logger.warn({ event: 'queue.calls_requeued', calls: missing.length }, 'calls queued again');
}

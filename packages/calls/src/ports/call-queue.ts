import type { CallId } from '@outdial/contracts';

/** The transport that wakes a worker for a call. It may lose anything: the call's row is the outbox. */
export interface CallQueue {
  /** Adds a job for each call that has none. Idempotent. */
  add(callIds: readonly CallId[]): Promise<void>;
  /**
   * Returns the calls that have no waiting, delayed or running job. A finished job that was left behind is removed in
   * passing: it would turn the next `add` of its call into a no-op.
   */
  missing(callIds: readonly CallId[]): Promise<readonly CallId[]>;
}

/** Notifies the lease holder of a request to end a call, which it would otherwise notice at its next write. */
export interface EndSignals {
  publish(callId: CallId): Promise<void>;
}

import type { CallId } from '@outdial/contracts';

/** The transport that wakes a worker for a call. Nothing that may not be lost: the call's row is the outbox. */
export interface CallQueue {
  /** Adds a job for each call that has none. Repeating it changes nothing. */
  add(callIds: readonly CallId[]): Promise<void>;
  /**
   * Of these, the calls that no waiting, delayed or running job stands for. A finished job that was left behind is
   * removed on the way: it would turn the next `add` of its call into a no-op.
   */
  missing(callIds: readonly CallId[]): Promise<readonly CallId[]>;
}

/** Hurries what the lease holder would notice at its next write anyway: a request to end a call. */
export interface EndSignals {
  publish(callId: CallId): Promise<void>;
}

import type { CallId } from '@outdial/contracts';
import type { TraceParent } from '@outdial/kernel';

export interface EndedCallRecording {
  readonly callId: CallId;
  /** False for a call that was never answered: its file is not a recording. */
  readonly isRecorded: boolean;
  readonly traceParent: TraceParent | null;
}

/** The recording status of calls. */
export interface RecordedCalls {
  /**
   * Which of these calls have ended, so that nothing is written to their recordings any more. A call that another worker
   * ended is left out until `othersAfterMs` after its end: that worker handles it, if it is still alive.
   */
  ended(input: {
    readonly callIds: readonly CallId[];
    readonly workerId: string;
    readonly othersAfterMs: number;
  }): Promise<readonly EndedCallRecording[]>;
  /** The recording is in the store: `available`, even if the worker that ended the call did not know of it. */
  markStored(recording: { readonly callId: CallId; readonly key: string }): Promise<void>;
  /** A pending recording turned out to be empty: `none`. */
  markMissing(callId: CallId): Promise<void>;
  /**
   * Sets the calls among these that ended more than `retentionDays` ago to `none`.
   * @returns all calls that are that old; their recordings must be deleted from the store. Unknown calls are never among
   * them.
   */
  expire(input: { readonly callIds: readonly CallId[]; readonly retentionDays: number }): Promise<readonly CallId[]>;
}

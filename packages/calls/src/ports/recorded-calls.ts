import type { CallId } from '@outdial/contracts';

export interface EndedCallRecording {
  readonly callId: CallId;
  /** False for a call that was never answered: what lies there of it is no recording. */
  readonly isRecorded: boolean;
}

/** What calls say of their recordings. */
export interface RecordedCalls {
  /**
   * Which of these calls have ended, so that nothing is written to their recordings any more. A call that another worker
   * ended is left out until `othersAfterMs` after its end: that worker sees to it, if it is there.
   */
  ended(input: {
    readonly callIds: readonly CallId[];
    readonly workerId: string;
    readonly othersAfterMs: number;
  }): Promise<readonly EndedCallRecording[]>;
  /** The recording is in the store: `available`, also if the call was ended by somebody who did not know of it. */
  markStored(recording: { readonly callId: CallId; readonly key: string }): Promise<void>;
  /** A recording that was pending turned out to hold nothing: `none`. */
  markMissing(callId: CallId): Promise<void>;
  /**
   * Makes the calls among these that ended more than so many days ago say `none`.
   * @returns all calls that are that old: what the store has of them is to be deleted. A call that is not known is never
   * among them.
   */
  expire(input: { readonly callIds: readonly CallId[]; readonly retentionDays: number }): Promise<readonly CallId[]>;
}

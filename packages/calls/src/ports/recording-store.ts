import type { Readable } from 'node:stream';
import type { CallId } from '@outdial/contracts';

/** Receives the recording during the call. What was written survives a crash of the process. */
export interface RecordingSink {
  /** The key of the recording in the store. */
  readonly key: string;
  /**
   * Interleaved stereo samples, left callee, right agent; copied before it returns. Never blocks; a failing disk makes
   * only `close` fail.
   */
  write(samples: Int16Array): void;
  /** Completes the file. False if nothing playable came of it. */
  close(): Promise<boolean>;
}

export interface StoredRecording {
  readonly sizeBytes: number;
  /** `start` and `end` are inclusive byte positions. */
  read(range: { readonly start: number; readonly end: number }): Readable;
}

export interface RecordingStore {
  create(callId: CallId): RecordingSink;
  /** Null if there is no such recording, or not any more. */
  open(key: string): Promise<StoredRecording | null>;
  /** The key of a call's recording, whether or not it exists. */
  keyOf(callId: CallId): string;
  /** Makes the file of a crashed worker playable; false if there is none. */
  repair(key: string): Promise<boolean>;
}

/** The contents of a store, found by listing the store rather than by asking the calls. */
export interface RecordingInventory {
  /** The calls that have files in the store, in batches of at most 1,000, in no order. */
  list(): AsyncIterable<readonly CallId[]>;
  /** Deletes all files of these calls; some may have none. */
  remove(callIds: readonly CallId[]): Promise<void>;
}

/**
 * The outcome of an upload. `stored`: the store has it. `unplayable`: it contained no audio. `gone`: it is no longer on
 * this machine; another worker of the machine was faster.
 */
export type UploadOutcome = 'stored' | 'unplayable' | 'gone';

/** Recordings on this machine that are not in the store yet. */
export interface RecordingOutbox {
  /** Calls with a recording on this machine, including calls in progress; in batches of at most 1,000. */
  list(): AsyncIterable<readonly CallId[]>;
  /** Only for a recording that is not written to any more. May be repeated. Rejects if the store is away. */
  upload(callId: CallId, aborted: AbortSignal): Promise<UploadOutcome>;
  /** Removes it from this machine. */
  discard(callId: CallId): Promise<void>;
}

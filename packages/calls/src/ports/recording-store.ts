import type { Readable } from 'node:stream';
import type { CallId } from '@outdial/contracts';

/** Receives the recording while the call goes on. What was written survives a crash of the process. */
export interface RecordingSink {
  /** Names the recording in the store. */
  readonly key: string;
  /**
   * Interleaved stereo samples, left callee, right agent; copied before it returns. Never blocks; a failing disk fails
   * `close` alone.
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
  /** Null if there is no such recording (any more). */
  open(key: string): Promise<StoredRecording | null>;
  /** The key under which a call's recording would lie, whether or not it does. */
  keyOf(callId: CallId): string;
  /** Makes what a crashed worker left playable; false if nothing is there. */
  repair(key: string): Promise<boolean>;
}

/** What lies in a store, found by looking there rather than by asking the calls. */
export interface RecordingInventory {
  /** Calls of which the store has something, in batches of at most 1,000, in no order. */
  list(): AsyncIterable<readonly CallId[]>;
  /** Deletes all that the store has of these calls; of some it may have nothing. */
  remove(callIds: readonly CallId[]): Promise<void>;
}

/**
 * What came of an upload. `stored`: the store has it. `unplayable`: there was no sound in it. `gone`: it is no longer on
 * this machine; another worker of the machine was faster.
 */
export type UploadOutcome = 'stored' | 'unplayable' | 'gone';

/** Recordings that lie on this machine until they are in the store. */
export interface RecordingOutbox {
  /** Calls with a recording on this machine, also those that still go on; in batches of at most 1,000. */
  list(): AsyncIterable<readonly CallId[]>;
  /** Only for a recording that nothing is written to any more. May be repeated. Rejects if the store is away. */
  upload(callId: CallId, aborted: AbortSignal): Promise<UploadOutcome>;
  /** Removes it from this machine. */
  discard(callId: CallId): Promise<void>;
}

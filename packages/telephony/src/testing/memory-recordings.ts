import { Readable } from 'node:stream';
import type { RecordingSink, RecordingStore, StoredRecording } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';

/** Keeps recordings as samples, by call. */
export class MemoryRecordings implements RecordingStore {
  readonly #frames = new Map<string, Int16Array[]>();

  create(callId: CallId): RecordingSink {
    const frames: Int16Array[] = [];
    let isClosed = false;
    this.#frames.set(callId, frames);
    return {
      key: callId,
      write: (samples) => {
        if (!isClosed) frames.push(samples.slice());
      },
      close: async () => {
        isClosed = true;
        return frames.length > 0;
      },
    };
  }

  keyOf(callId: CallId): string {
    return callId;
  }

  async open(key: string): Promise<StoredRecording | null> {
    if (!this.#isPlayable(key)) return null;
    const bytes = Buffer.concat((this.#frames.get(key) ?? []).map((frame) => Buffer.from(frame.buffer)));
    return {
      sizeBytes: bytes.length,
      read: ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
    };
  }

  async repair(key: string): Promise<boolean> {
    return this.#isPlayable(key);
  }

  /** Both sides of a call. */
  channelsOf(callId: CallId): { readonly callee: Int16Array; readonly agent: Int16Array } {
    const stereo = (this.#frames.get(callId) ?? []).flatMap((frame) => [...frame]);
    return {
      callee: Int16Array.from(stereo.filter((_, index) => index % 2 === 0)),
      agent: Int16Array.from(stereo.filter((_, index) => index % 2 === 1)),
    };
  }

  #isPlayable(key: string): boolean {
    return (this.#frames.get(key) ?? []).length > 0;
  }
}

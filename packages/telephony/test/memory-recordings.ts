import type { RecordingSink, RecordingStore } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';

/** Keeps recordings as samples, by call. */
export class MemoryRecordings implements RecordingStore {
  readonly #frames = new Map<string, Int16Array[]>();

  create(callId: CallId): RecordingSink {
    const frames: Int16Array[] = [];
    this.#frames.set(callId, frames);
    return {
      key: callId,
      write: (samples) => void frames.push(samples.slice()),
      close: () => Promise.resolve(frames.length > 0),
    };
  }

  keyOf(callId: CallId): string {
    return callId;
  }

  open(): Promise<null> {
    return Promise.resolve(null);
  }

  repair(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Both channels of a call. */
  channelsOf(callId: CallId): { readonly callee: Int16Array; readonly agent: Int16Array } {
    const stereo = (this.#frames.get(callId) ?? []).flatMap((frame) => [...frame]);
    return {
      callee: Int16Array.from(stereo.filter((_, index) => index % 2 === 0)),
      agent: Int16Array.from(stereo.filter((_, index) => index % 2 === 1)),
    };
  }
}

import type { RecordingSink, RecordingStore } from '@outdial/calls';

/** The recording of one call. A call whose recording fails goes on without one. */
export class CallRecording {
  readonly #sink: RecordingSink | undefined;
  readonly #onError: (error: unknown) => void;

  constructor(
    recordings: RecordingStore,
    callId: Parameters<RecordingStore['create']>[0],
    onError: (error: unknown) => void,
  ) {
    this.#onError = onError;
    try {
      this.#sink = recordings.create(callId);
    } catch (error) {
      onError(error);
    }
  }

  write(stereo: Int16Array): void {
    this.#sink?.write(stereo);
  }

  /** Its key; null if there is none. */
  async finish(): Promise<string | null> {
    const sink = this.#sink;
    if (sink === undefined) return null;
    try {
      return (await sink.close()) ? sink.key : null;
    } catch (error) {
      this.#onError(error);
      return null;
    }
  }
}

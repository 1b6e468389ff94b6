export type SpeechErrorCode =
  /** Longer than one text may be; split it. */
  | 'text_too_long'
  /** Nothing in the text has a sound in this voice. */
  | 'text_unspeakable'
  /** The engine took too long and was stopped; the next text gets a new one. */
  | 'timed_out'
  /** The engine died or refused; the next text gets a new one. */
  | 'engine_failed'
  /** The synthesizer was closed. */
  | 'closed';

/** Why a text did not become speech. The message never quotes the text: it may hold a callee's data. */
export class SpeechError extends Error {
  readonly code: SpeechErrorCode;

  constructor(code: SpeechErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SpeechError';
    this.code = code;
  }
}

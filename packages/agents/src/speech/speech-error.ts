export type SpeechErrorCode =
  /** The text exceeds the maximum length; split it. */
  | 'text_too_long'
  /** No part of the text is speakable in this voice. */
  | 'text_unspeakable'
  /** The engine took too long and was stopped; the next text gets a new one. */
  | 'timed_out'
  /** The engine crashed or failed; the next text gets a new one. */
  | 'engine_failed'
  /** The synthesizer was closed. */
  | 'closed';

/** Why synthesis failed. The message never quotes the text, which may contain a callee's data. */
export class SpeechError extends Error {
  readonly code: SpeechErrorCode;

  constructor(code: SpeechErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SpeechError';
    this.code = code;
  }
}

import { AgentError, type SpeechSynthesizer } from '@outdial/calls';
import type { CallFailureCode, Voice } from '@outdial/contracts';
import { SpeechError } from '../speech/speech-error.ts';

/** What a line is said for; it decides what comes after it and whether the callee may break in. */
export type LinePurpose = 'script' | 'menu' | 'no_input' | 'closing' | 'voicemail' | 'screening';

type LineSpeech =
  | { readonly state: 'pending' }
  | { readonly state: 'ready'; readonly samples: Int16Array }
  | { readonly state: 'failed'; readonly error: unknown };

/** A text of the script with its variables filled in, and its sound once that is made. */
export interface Line {
  readonly purpose: LinePurpose;
  readonly text: string;
  readonly speech: () => LineSpeech;
  /** Makes the sound. Never rejects: a failure is the line's speech. Idempotent. */
  readonly prepare: () => Promise<void>;
}

export function createLine(input: {
  readonly purpose: LinePurpose;
  /** Of the settings, as in `lines.2`. */
  readonly path: string;
  readonly text: string;
  readonly voice: Voice;
  readonly synthesizer: SpeechSynthesizer;
}): Line {
  const { purpose, path, text, voice, synthesizer } = input;
  let speech: LineSpeech = { state: 'pending' };
  let prepared: Promise<void> | undefined;

  async function synthesize(): Promise<void> {
    try {
      speech = { state: 'ready', samples: await synthesizer.synthesize({ text, voice }) };
    } catch (error) {
      const fault = new AgentError({ code: failureCodeOf(error), field: path }, { cause: error });
      speech = { state: 'failed', error: fault };
    }
  }

  return {
    purpose,
    text,
    speech: () => speech,
    prepare: () => (prepared ??= synthesize()),
  };
}

/** What the customer can mend is named; what the engine did is not theirs to know. */
function failureCodeOf(error: unknown): CallFailureCode {
  if (!(error instanceof SpeechError)) return 'speech_failed';
  return error.code === 'text_unspeakable' || error.code === 'text_too_long' ? error.code : 'speech_failed';
}

import { AgentError, type SpeechSynthesizer } from '@outdial/calls';
import type { CallFailureCode, Voice } from '@outdial/contracts';
import { SpeechError } from '../speech/speech-error.ts';

/** The purpose of a line; it decides what follows and whether the callee may barge in. */
export type LinePurpose = 'script' | 'menu' | 'no_input' | 'closing' | 'voicemail' | 'screening' | 'opt_out';

type LineSpeech =
  | { readonly state: 'pending' }
  | { readonly state: 'ready'; readonly samples: Int16Array }
  | { readonly state: 'failed'; readonly error: unknown };

/** A text of the script with its variables filled in, and its sound once it is synthesized. */
export interface ScriptLine {
  readonly purpose: LinePurpose;
  readonly text: string;
  readonly speech: () => LineSpeech;
  /** Synthesizes the sound. Never rejects: `speech` has the failure. Idempotent. */
  readonly prepare: () => Promise<void>;
}

export function createScriptLine(input: {
  readonly purpose: LinePurpose;
  /** Path in the settings, such as `lines.2`. */
  readonly path: string;
  readonly text: string;
  readonly voice: Voice;
  readonly synthesizer: SpeechSynthesizer;
}): ScriptLine {
  const { purpose, path, text, voice, synthesizer } = input;
  let speech: LineSpeech = { state: 'pending' };
  let prepared: Promise<void> | undefined;

  async function synthesize(): Promise<void> {
    try {
      speech = { state: 'ready', samples: await synthesizer.synthesize({ text, voice }) };
    } catch (error) {
      const agentError = new AgentError({ code: failureCodeOf(error), field: path }, { cause: error });
      speech = { state: 'failed', error: agentError };
    }
  }

  return {
    purpose,
    text,
    speech: () => speech,
    prepare: () => (prepared ??= synthesize()),
  };
}

/** Reports errors that the customer can fix by code; errors of the engine are internal. */
function failureCodeOf(error: unknown): CallFailureCode {
  if (!(error instanceof SpeechError)) return 'speech_failed';
  return error.code === 'text_unspeakable' || error.code === 'text_too_long' ? error.code : 'speech_failed';
}

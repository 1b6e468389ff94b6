import type { SpeechSynthesizer } from '@outdial/calls';
import type { Voice } from '@outdial/contracts';

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
  readonly text: string;
  readonly voice: Voice;
  readonly synthesizer: SpeechSynthesizer;
}): Line {
  const { purpose, text, voice, synthesizer } = input;
  let speech: LineSpeech = { state: 'pending' };
  let prepared: Promise<void> | undefined;

  async function synthesize(): Promise<void> {
    try {
      speech = { state: 'ready', samples: await synthesizer.synthesize({ text, voice }) };
    } catch (error) {
      speech = { state: 'failed', error };
    }
  }

  return {
    purpose,
    text,
    speech: () => speech,
    prepare: () => (prepared ??= synthesize()),
  };
}

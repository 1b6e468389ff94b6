import { systemClock } from '@outdial/kernel';
import { afterAll } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import { speakWithEspeak, INDEPENDENT_VOICES, type IndependentVoice } from '../testing/espeak.ts';
import { describeHearing } from '../testing/hearing-suite.ts';

const speech = createSpeechSynthesizer({ clock: systemClock });
afterAll(() => speech.close());

const clips = new Map<string, Int16Array>();

/** Independent voices: results for the product's own voices may not generalize. */
describeHearing<IndependentVoice>({
  voices: INDEPENDENT_VOICES,
  speech,
  async say(text, voice) {
    const key = `${voice} ${text}`;
    const clip = clips.get(key) ?? speakWithEspeak(text, voice);
    clips.set(key, clip);
    return Promise.resolve(clip);
  },
});

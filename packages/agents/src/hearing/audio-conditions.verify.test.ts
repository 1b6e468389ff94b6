import { systemClock } from '@outdial/kernel';
import { afterAll } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import { describeHearing } from '../testing/hearing-suite.ts';
import { USUAL_RMS } from '../testing/audio-conditions.ts';
import { rmsOf, scale } from '../testing/sounds.ts';

const speech = createSpeechSynthesizer({ clock: systemClock });
afterAll(() => speech.close());

// `audio-conditions.test.ts` has `slt`. Without `awb`: at a low level the voice detector misses its first word, and the
// turn starts late.
describeHearing({
  voices: ['rms', 'kal'],
  speech,
  async say(text, voice) {
    const clip = await speech.synthesize({ text, voice });
    return scale(clip, USUAL_RMS / rmsOf(clip));
  },
});

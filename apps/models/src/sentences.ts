import { CALLEE_VOICE, createVoiceClips, TEST_NUMBERS, VOICES_FOLDER } from '@outdial/simulated-network';
import type { KnownSentence } from '@outdial/simulated-providers';

/** Every sentence that a simulated callee may say, with its sound. */
export async function calleeSentences(): Promise<readonly KnownSentence[]> {
  const clips = createVoiceClips(VOICES_FOLDER);
  const sounds = [...TEST_NUMBERS.values()].flatMap((persona) => persona.sounds);
  const texts = new Set(sounds.flatMap((sound) => (sound.kind === 'speech' ? [sound.text] : [])));
  return Promise.all(
    [...texts].map(async (text) => ({ text, samples: await clips.synthesize({ text, voice: CALLEE_VOICE }) })),
  );
}

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createSpeechSynthesizer } from '@outdial/agents';
import { systemClock } from '@outdial/kernel';
import { TEST_NUMBERS } from '../src/personas/test-numbers.ts';
import { CALLEE_VOICE, clipFileName, VOICES_FOLDER } from '../src/voices/voice-clips.ts';
import { writeWav } from '../src/voices/wav.ts';

/** Makes the clip of every sentence of the personas, and removes unused clips. */
async function makeVoices(): Promise<void> {
  const sounds = [...TEST_NUMBERS.values()].flatMap((persona) => persona.sounds);
  const texts = new Set(sounds.flatMap((sound) => (sound.kind === 'speech' ? [sound.text] : [])));
  const speech = createSpeechSynthesizer({ clock: systemClock });
  await rm(VOICES_FOLDER, { recursive: true, force: true });
  await mkdir(VOICES_FOLDER);
  for (const text of texts) {
    const name = clipFileName(text);
    const file = writeWav(await speech.synthesize({ text, voice: CALLEE_VOICE }));
    await writeFile(new URL(name, VOICES_FOLDER), file);
    process.stdout.write(`${name}  ${(file.length / 1_024).toFixed(0)} KiB\n`);
  }
  await speech.close();
}

await makeVoices();

import { SAMPLE_RATE_HZ } from '@outdial/calls';
import { brownNoise, mix, scale, whiteNoise } from './sounds.ts';
import { asTelephoneAudio } from './telephone-audio.ts';

/** Level of active speech on the telephone: about -24 dB of full scale. */
export const USUAL_RMS = 2_000;
const NOISE_RMS = USUAL_RMS / 10 ** (15 / 20);
const LOUDER = 10 ** (12 / 20);

const noiseOf = (make: typeof whiteNoise, sound: Int16Array): Int16Array =>
  make((sound.length * 1_000) / SAMPLE_RATE_HZ, NOISE_RMS, 3);

/** What networks, rooms and microphones do to speech of the usual level on its way to the agent. */
export const AUDIO_CONDITIONS: Readonly<Record<string, (sound: Int16Array) => Int16Array>> = {
  'a clean connection': (sound) => asTelephoneAudio(sound),
  'hiss 15 dB below the voice': (sound) => asTelephoneAudio(mix(sound, noiseOf(whiteNoise, sound))),
  'wind 15 dB below the voice': (sound) => asTelephoneAudio(mix(sound, noiseOf(brownNoise, sound))),
  'a 12 dB louder connection': (sound) => asTelephoneAudio(scale(sound, LOUDER)),
  'a 12 dB softer connection': (sound) => asTelephoneAudio(scale(sound, 1 / LOUDER)),
  'a softer connection with hiss': (sound) =>
    asTelephoneAudio(scale(mix(sound, noiseOf(whiteNoise, sound)), 1 / LOUDER)),
};

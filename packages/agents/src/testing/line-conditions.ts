import { SAMPLE_RATE_HZ } from '@outdial/calls';
import { brownNoise, mix, scale, whiteNoise } from './sounds.ts';
import { overTheTelephone } from './telephone-line.ts';

/** Of speech on the telephone while it lasts: about -24 dB of full scale. */
export const USUAL_RMS = 2_000;
const NOISE_RMS = USUAL_RMS / 10 ** (15 / 20);
const LOUDER = 10 ** (12 / 20);

const noiseOf = (make: typeof whiteNoise, sound: Int16Array): Int16Array =>
  make((sound.length * 1_000) / SAMPLE_RATE_HZ, NOISE_RMS, 3);

/** What lines, rooms and microphones do to speech of the usual level on its way to the agent. */
export const LINE_CONDITIONS: Readonly<Record<string, (sound: Int16Array) => Int16Array>> = {
  'a quiet line': (sound) => overTheTelephone(sound),
  'hiss 15 dB below the voice': (sound) => overTheTelephone(mix(sound, noiseOf(whiteNoise, sound))),
  'wind 15 dB below the voice': (sound) => overTheTelephone(mix(sound, noiseOf(brownNoise, sound))),
  'a line 12 dB louder': (sound) => overTheTelephone(scale(sound, LOUDER)),
  'a line 12 dB softer': (sound) => overTheTelephone(scale(sound, 1 / LOUDER)),
  'a softer line with hiss': (sound) => overTheTelephone(scale(mix(sound, noiseOf(whiteNoise, sound)), 1 / LOUDER)),
};

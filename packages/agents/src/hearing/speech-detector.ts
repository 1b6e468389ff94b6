import { FRAME_MS, type Frame } from '@outdial/calls';
import { createBandLevel } from './band-level.ts';
import { createEnergyGate } from './energy-gate.ts';
import type { VoiceDetector } from './voice-detector.ts';

/**
 * People pause for breath within this time; engines, wind and music do not. Each frame without sound subtracts three, so
 * that the pauses of ordinary speech keep the count low.
 */
const LONGEST_SPEECH_FRAMES = 12_000 / FRAME_MS;
const FRAMES_TAKEN_BACK = 3;
/** Endless sound ends with a pause of a second, which subtracts this much. */
const OVER_BELOW_FRAMES = LONGEST_SPEECH_FRAMES - FRAMES_TAKEN_BACK * (1_000 / FRAME_MS);
/** Speech over noise that was taken for speech must be this much louder. */
const ABOVE_ENDLESS_NOISE = 2.5;
const LOUDNESS_FRAMES = 5_000 / FRAME_MS;

/** Whether a frame is speech: it sounds like a voice, exceeds the noise, and has not lasted impossibly long. */
export interface SpeechDetector {
  isSpeech(frame: Frame): boolean;
}

export function createSpeechDetector(voice: VoiceDetector): SpeechDetector {
  const band = createBandLevel();
  const gate = createEnergyGate();
  let soundFrames = 0;
  let loudness = 0;
  let isEndless = false;

  return {
    isSpeech(frame) {
      const level = band.of(frame);
      // Both run for every frame, because both also learn from frames without speech.
      const isLoud = gate.opens(level);
      const voiced = voice.isVoice(frame);
      if (!isLoud || !voiced) {
        soundFrames = Math.max(0, soundFrames - FRAMES_TAKEN_BACK);
        isEndless &&= soundFrames > OVER_BELOW_FRAMES;
        return false;
      }
      isEndless ||= soundFrames >= LONGEST_SPEECH_FRAMES;
      const isSpeech = !isEndless || level > loudness * ABOVE_ENDLESS_NOISE;
      soundFrames = Math.min(LONGEST_SPEECH_FRAMES, soundFrames + 1);
      loudness += (level - loudness) / Math.min(soundFrames, LOUDNESS_FRAMES);
      return isSpeech;
    },
  };
}

import { FRAME_SAMPLES, SAMPLE_RATE_HZ, type Frame } from '@outdial/calls';

/** ITU-T Q.23: every key is one tone of its row and one of its column. */
const KEYPAD = ['123A', '456B', '789C', '*0#D'];
const ROW_HZ = [697, 770, 852, 941];
const COLUMN_HZ = [1_209, 1_336, 1_477, 1_633];

/** -13 dBFS for each of the two. */
const TONE_PEAK = 7_336;
const DOWN_FRAMES = 5;
const GAP_FRAMES = 3;

/** The digits as DTMF tones, 100 ms each and 60 ms apart, for a far end that does not support events. */
export function digitTones(digits: string): Frame[] {
  return Array.from(digits).flatMap((digit) => {
    const tones = Array.from({ length: DOWN_FRAMES }, (_, frame) => toneFrame(digit, frame * FRAME_SAMPLES));
    const gap = Array.from({ length: GAP_FRAMES }, () => new Int16Array(FRAME_SAMPLES));
    return [...tones, ...gap];
  });
}

function toneFrame(digit: string, fromSample: number): Frame {
  const row = KEYPAD.findIndex((keys) => keys.includes(digit));
  const column = KEYPAD[row]?.indexOf(digit) ?? 0;
  const frame = new Int16Array(FRAME_SAMPLES);
  for (let at = 0; at < FRAME_SAMPLES; at += 1) {
    const radians = (2 * Math.PI * (fromSample + at)) / SAMPLE_RATE_HZ;
    const sum = Math.sin(radians * (ROW_HZ[row] ?? 0)) + Math.sin(radians * (COLUMN_HZ[column] ?? 0));
    frame[at] = Math.round(TONE_PEAK * sum);
  }
  return frame;
}

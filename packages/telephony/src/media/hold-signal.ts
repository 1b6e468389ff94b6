import { FRAME_SAMPLES, SAMPLE_RATE_HZ, type Frame } from '@outdial/calls';
import { SILENCE } from './frames.ts';

/** Two short, quiet beeps: a callee who hears nothing hangs up. */
const TONE_HZ = 425;
/** Of 32,767: about 34 dB below full scale. */
const AMPLITUDE = 650;
const BEEP_FRAMES = 6;
const GAP_FRAMES = 5;
/** From the beginning of one signal to the next. */
const PERIOD_FRAMES = 250;

/** Each frame begins where the tone crosses zero: 20 ms are 8.5 periods, so two frames repeat. */
const TONE: readonly Frame[] = [0, 1].map((nth) =>
  Int16Array.from({ length: FRAME_SAMPLES }, (_, at) => {
    const sample = nth * FRAME_SAMPLES + at;
    return Math.round(AMPLITUDE * Math.sin((2 * Math.PI * TONE_HZ * sample) / SAMPLE_RATE_HZ));
  }),
);

/** What a callee hears who waits for the destination of a warm transfer. `frame` counts from the beginning of the wait. */
export function holdSignal(frame: number): Frame {
  const at = frame % PERIOD_FRAMES;
  const inSecond = at - BEEP_FRAMES - GAP_FRAMES;
  const isTone = at < BEEP_FRAMES || (inSecond >= 0 && inSecond < BEEP_FRAMES);
  return isTone ? (TONE[at % TONE.length] ?? SILENCE) : SILENCE;
}

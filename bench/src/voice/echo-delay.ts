import { SAMPLES_PER_MS, type Recording } from './recording.ts';

const WINDOW_MS = 4_000;
const LONGEST_DELAY_MS = 800;
/** Every fourth sample: half a millisecond, and a sixteenth of the work. */
const STRIDE = 4;
/** Below this the two sides do not contain the same sound, and the delay is meaningless. */
const LEAST_CORRELATION = 0.6;

/** How much later than the agent an echoing callee is heard, around `atMs`. Null where the agent was silent. */
export function echoDelayMs({ callee, agent }: Recording, atMs: number): number | null {
  const from = Math.round(atMs * SAMPLES_PER_MS);
  const length = WINDOW_MS * SAMPLES_PER_MS;
  if (from + length + LONGEST_DELAY_MS * SAMPLES_PER_MS > agent.length) return null;
  let best = { delay: 0, correlation: 0 };
  for (let delay = 0; delay <= LONGEST_DELAY_MS * SAMPLES_PER_MS; delay += STRIDE) {
    const correlation = correlate(agent, from, callee, from + delay, length);
    if (correlation > best.correlation) best = { delay, correlation };
  }
  return best.correlation < LEAST_CORRELATION ? null : best.delay / SAMPLES_PER_MS;
}

/** 1 for the same sound at any loudness, about 0 for unrelated sounds. */
function correlate(one: Int16Array, oneFrom: number, other: Int16Array, otherFrom: number, length: number): number {
  let [both, oneEnergy, otherEnergy] = [0, 0, 0];
  for (let at = 0; at < length; at += STRIDE) {
    const left = one[oneFrom + at] ?? 0;
    const right = other[otherFrom + at] ?? 0;
    both += left * right;
    oneEnergy += left * left;
    otherEnergy += right * right;
  }
  return oneEnergy === 0 || otherEnergy === 0 ? 0 : both / Math.sqrt(oneEnergy * otherEnergy);
}

/** G.711 µ-law, one channel. */
export const SOUND_RATE = 8_000;
/** 20 ms. */
export const FRAME_BYTES = 160;
/** A message of the microphone. Shorter ones cost the service more than they save in delay. */
export const MESSAGE_BYTES = 2 * FRAME_BYTES;
const MOST_FRAMES = 10;

/** Whether it is a message that either side may send. */
export function isSoundMessage(bytes: number): boolean {
  return bytes > 0 && bytes % FRAME_BYTES === 0 && bytes <= MOST_FRAMES * FRAME_BYTES;
}

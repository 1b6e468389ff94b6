import { expect, it } from 'vitest';
import { newSoundMessage, overMessage, parseLiveSound } from './live-sound.ts';

it('a message of sound is read as it was written, wherever it lies in its buffer', () => {
  const { message, bodyAt } = newSoundMessage(4_000_000_000, 640);
  message.fill(0x7f, bodyAt);
  const padded = new Uint8Array(message.length + 10);
  padded.set(message, 10);
  const read = parseLiveSound(padded.subarray(10));
  expect(read).toMatchObject({ kind: 'sound', firstFrame: 4_000_000_000 });
  expect(read?.kind === 'sound' && read.ulaw).toEqual(new Uint8Array(640).fill(0x7f));
  expect(parseLiveSound(overMessage())).toEqual({ kind: 'over' });
});

it('bytes of any other form are rejected: no frame, half a frame, more than a second, another kind', () => {
  const samples = [0, 319, 320 * 51];
  for (const count of samples) expect(parseLiveSound(newSoundMessage(0, count).message)).toBeNull();
  for (const bytes of [[], [0], [1], [2, 0], [3, 0, 0, 0, 0, ...new Uint8Array(320)]]) {
    expect(parseLiveSound(Uint8Array.from(bytes))).toBeNull();
  }
});

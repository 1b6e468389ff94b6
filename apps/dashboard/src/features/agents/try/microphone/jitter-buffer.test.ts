import { TRY_SOUND } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { JitterBuffer } from './jitter-buffer.ts';
import { FRAME_BYTES, SOUND_RATE } from './sound-format.ts';

/** A millisecond. */
const MS = SOUND_RATE / 1_000;
const message = (value: number, ms = 100) => new Float32Array(ms * MS).fill(value);

/** Plays millisecond by millisecond what comes at these times. Returns what was played in each. */
function played(messages: readonly (readonly [atMs: number, sound: Float32Array | 'clear'])[], untilMs: number) {
  const buffer = new JitterBuffer();
  return Array.from({ length: untilMs }, (_, nowMs) => {
    for (const [atMs, sound] of messages) {
      if (atMs !== nowMs) continue;
      if (sound === 'clear') buffer.clear();
      else buffer.push(sound);
    }
    const output = new Float32Array(MS).fill(9);
    buffer.pull(output);
    expect(new Set(output).size).toBe(1);
    return output[0] ?? 0;
  });
}
const from = (all: readonly number[], value: number) => all.indexOf(value);
const lengthOf = (all: readonly number[], value: number) => all.filter((one) => one === value).length;

test('the page’s format of sound is that of the contracts', () => {
  expect([SOUND_RATE, FRAME_BYTES]).toEqual([TRY_SOUND.sampleRate, TRY_SOUND.frameBytes]);
});

test('the agent is heard 80 ms after its first message, without gaps while messages are up to 80 ms late', () => {
  const all = played(
    [0, 178, 201, 379, 400].map((atMs, nth) => [atMs, message(nth + 1)] as const),
    700,
  );
  expect(all).toEqual([
    ...Array.from({ length: 80 }, () => 0),
    ...Array.from({ length: 500 }, (_, at) => Math.floor(at / 100) + 1),
    ...Array.from({ length: 120 }, () => 0),
  ]);
});

test('a short word is played in full, and the next one after silence waits 80 ms again', () => {
  const all = played(
    [
      [10, message(1, 20)],
      [300, message(2, 20)],
    ],
    500,
  );
  expect([from(all, 1), lengthOf(all, 1), from(all, 2), lengthOf(all, 2)]).toEqual([90, 20, 380, 20]);
});

test('nothing of what was cleared is played, and what the agent says next is', () => {
  const all = played(
    [
      [0, message(1)],
      [10, message(1)],
      [100, 'clear'],
      [120, message(2)],
    ],
    400,
  );
  expect(lengthOf(all, 1)).toBe(20);
  expect([from(all, 2), lengthOf(all, 2)]).toEqual([200, 100]);
});

test('after a standstill of the network the oldest is skipped: never is more than a second kept', () => {
  const buffer = new JitterBuffer();
  for (let nth = 1; nth <= 200; nth += 1) {
    buffer.push(message(nth));
    expect(buffer.waiting).toBeLessThanOrEqual(SOUND_RATE);
  }
  const output = new Float32Array(SOUND_RATE);
  buffer.pull(output);
  const heard = [...new Set(output)].filter((one) => one > 0);
  expect(heard.at(-1)).toBe(200);
  expect(heard).toEqual(heard.toSorted((one, other) => one - other));
});

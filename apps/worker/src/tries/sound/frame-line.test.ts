import { FRAME_SAMPLES } from '@outdial/calls';
import { expect, test } from 'vitest';
import { FrameLine } from './frame-line.ts';

/** Loudness codes of µ-law, which survive both ways. */
const frameOf = (code: number): Uint8Array => new Uint8Array(FRAME_SAMPLES).fill(code);
const messageOf = (...codes: readonly number[]): Uint8Array =>
  Uint8Array.from(codes.flatMap((code) => [...frameOf(code)]));

function setUp({ takes = true } = {}) {
  const sent: number[] = [];
  let cleared = 0;
  const line = new FrameLine({
    send(ulaw) {
      sent.push(ulaw.length / FRAME_SAMPLES);
      return takes;
    },
    onCleared: () => {
      cleared += 1;
    },
  });
  const speak = (frames: number) => {
    for (let nth = 0; nth < frames; nth += 1) {
      line.receive();
      line.send(new Int16Array(FRAME_SAMPLES).fill(8_000));
    }
  };
  return { line, sent, speak, cleared: () => cleared };
}

test('a person is heard in order once 100 ms are here, and waits again after a gap', () => {
  const { line } = setUp();
  line.hear(messageOf(0x80, 0x90, 0xa0, 0xb0));
  expect(line.receive()).toBeUndefined();
  line.hear(frameOf(0xc0));
  const heard = Array.from({ length: 5 }, () => Math.abs(line.receive()?.[0] ?? 0));
  expect(heard).toEqual(heard.toSorted((one, other) => other - one));
  expect(heard.every((sample) => sample > 0)).toBe(true);
  expect(line.receive()).toBeUndefined();
  line.hear(frameOf(0x80));
  expect(line.receive()).toBeUndefined();
});

test('half a second is kept of what comes too fast, the newest of it; no part of a frame is heard', () => {
  const { line } = setUp();
  for (let nth = 0; nth < 100; nth += 1) line.hear(frameOf(nth < 75 ? 0xff : 0x80));
  line.hear(new Uint8Array(FRAME_SAMPLES - 1));
  expect(line.dropped).toBe(75);
  let heard = 0;
  for (let frame = line.receive(); frame !== undefined; frame = line.receive()) {
    expect(Math.abs(frame[0] ?? 0)).toBeGreaterThan(30_000);
    heard += 1;
  }
  expect(heard).toBe(25);
});

test('the agent goes out in messages of 100 ms, and the rest with the first pause', () => {
  const { line, sent, speak } = setUp();
  speak(7);
  expect(sent).toEqual([5]);
  for (let nth = 0; nth < 3; nth += 1) line.receive();
  speak(5);
  expect(sent).toEqual([5, 2, 5]);
});

test('what is not taken is dropped and counted, and a person who breaks in hears no more of it', () => {
  const { line, sent, speak, cleared } = setUp({ takes: false });
  speak(8);
  expect([line.dropped, line.clear(), cleared()]).toEqual([5, 60, 1]);
  for (let nth = 0; nth < 3; nth += 1) line.receive();
  expect(sent).toHaveLength(1);
});

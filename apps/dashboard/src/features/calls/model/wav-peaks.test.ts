import { array, assert, integer, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { WavPeakReader } from './wav-peaks.ts';

type Frame = readonly [callee: number, agent: number];

function wav(frames: readonly Frame[], { extraChunk = 0, channels = 2 } = {}): Uint8Array {
  const extra = extraChunk === 0 ? 0 : 8 + extraChunk + (extraChunk % 2);
  const view = new DataView(new ArrayBuffer(44 + extra + frames.length * 4));
  const put = (at: number, name: string) => new Uint8Array(view.buffer).set(new TextEncoder().encode(name), at);
  put(0, 'RIFF');
  view.setUint32(4, view.byteLength - 8, true);
  put(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, 8_000, true);
  view.setUint16(34, 16, true);
  if (extra > 0) {
    put(36, 'LIST');
    view.setUint32(40, extraChunk, true);
  }
  put(36 + extra, 'data');
  view.setUint32(40 + extra, frames.length * 4, true);
  for (const [index, [callee, agent]] of frames.entries()) {
    view.setInt16(44 + extra + index * 4, callee, true);
    view.setInt16(46 + extra + index * 4, agent, true);
  }
  return new Uint8Array(view.buffer);
}

/** Splits the bytes at the given positions. */
function inPieces(bytes: Uint8Array, breaks: readonly number[]): readonly Uint8Array[] {
  const at = [0, ...breaks.map((value) => value % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const sample = integer({ min: -32_768, max: 32_767 });
const framesArbitrary = array(tuple(sample, sample), { maxLength: 300 });

test('the peaks do not depend on how the recording is split', () => {
  assert(
    property(
      framesArbitrary,
      array(integer({ min: 0, max: 2_000 }), { maxLength: 12 }),
      integer({ min: 1, max: 40 }),
      integer({ min: 0, max: 9 }),
      (frames, breaks, segments, extraChunk) => {
        const reader = new WavPeakReader(segments);
        for (const piece of inPieces(wav(frames, { extraChunk }), breaks)) reader.push(piece);
        const loudest = (segment: number, channel: 0 | 1) =>
          frames
            .filter((_, index) => Math.floor((index * segments) / frames.length) === segment)
            .reduce((most, frame) => Math.max(most, Math.abs(frame[channel]) / 32_768), 0);
        const all = Array.from({ length: segments }, (_, segment) => segment);
        expect(reader.peaks?.durationSeconds).toBe(frames.length / 8_000);
        expect([...(reader.peaks?.callee ?? [])]).toEqual(all.map((segment) => loudest(segment, 0)));
        expect([...(reader.peaks?.agent ?? [])]).toEqual(all.map((segment) => loudest(segment, 1)));
      },
    ),
  );
});

test('there are no peaks before the header is complete', () => {
  const reader = new WavPeakReader(10);
  reader.push(wav([[1, 2]]).subarray(0, 43));
  expect(reader.peaks).toBeNull();
});

test('data that is not a stereo recording is rejected', () => {
  expect(() => new WavPeakReader(10).push(wav([[1, 2]], { channels: 1 }))).toThrow(RangeError);
  expect(() => new WavPeakReader(10).push(new TextEncoder().encode('<!doctype html>'.repeat(400)))).toThrow(RangeError);
});

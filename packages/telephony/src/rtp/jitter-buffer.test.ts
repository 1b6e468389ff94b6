import { FRAME_SAMPLES } from '@outdial/calls';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JitterBuffer } from './jitter-buffer.ts';

/** A voice whose every sample encodes its position; loud, so that no part of it counts as a pause. */
const sampleAt = (place: number): number => 1_000 + (place % 30_000);

interface Arrival {
  readonly place: number;
  readonly samples: number;
  readonly atMs: number;
}

interface Played {
  /** The first position and the playout time of each frame that held only sent audio. */
  readonly frames: { readonly place: number; readonly atMs: number }[];
  readonly buffer: JitterBuffer;
  readonly concealedBetween: number;
}

/** Plays arrivals against a tick every 20 ms, and returns what was heard of the voice. */
function play(arrivals: readonly Arrival[], { firstTimestamp = 0, phaseMs = 7, tailMs = 1_000 } = {}): Played {
  const buffer = new JitterBuffer();
  const inOrder = arrivals.toSorted((one, other) => one.atMs - other.atMs);
  const endMs = (inOrder.at(-1)?.atMs ?? 0) + tailMs;
  const frames: { place: number; atMs: number }[] = [];
  let next = 0;
  let concealedBetween = 0;
  for (let tickMs = phaseMs; tickMs < endMs; tickMs += 20) {
    for (let arrival = inOrder[next]; arrival && arrival.atMs <= tickMs; arrival = inOrder[next]) {
      const voice = Int16Array.from({ length: arrival.samples }, (_, at) => sampleAt(arrival.place + at));
      buffer.insert((firstTimestamp + arrival.place) >>> 0, voice, arrival.atMs);
      next += 1;
    }
    const before = buffer.counts.concealedFrames;
    const frame = buffer.pull();
    const concealed = buffer.counts.concealedFrames > before;
    if (frame && !concealed) {
      // Positions repeat after 30,000 samples; a window of a second on either side makes them unique.
      const about = frames.at(-1)?.place ?? 0;
      const place = about + ((((frame[0] ?? 0) - sampleAt(about) + 45_000) % 30_000) - 15_000);
      expect([...frame]).toEqual(Array.from({ length: FRAME_SAMPLES }, (_, at) => sampleAt(place + at)));
      frames.push({ place, atMs: tickMs });
    }
    if (next < inOrder.length && frames.length > 0 && concealed) concealedBetween += 1;
  }
  return { frames, buffer, concealedBetween };
}

/** `count` packets of `ptimeMs`, each late by `transitMs`; null loses the packet. */
function stream(count: number, ptimeMs: number, transitMs: (index: number) => number | null): Arrival[] {
  const samples = ptimeMs * 8;
  return Array.from({ length: count }, (_, index) => {
    const transit = transitMs(index);
    return transit === null ? [] : [{ place: index * samples, samples, atMs: index * ptimeMs + transit }];
  }).flat();
}

const steps = (frames: Played['frames']): number[] =>
  frames.slice(1).map((frame, at) => frame.place - (frames[at]?.place ?? 0));

/** Everything played in order and once, and what is missing was skipped on purpose. */
function expectWhole({ frames, buffer }: Played, totalSamples: number): void {
  expect(steps(frames).every((step) => step >= FRAME_SAMPLES && step % FRAME_SAMPLES === 0)).toBe(true);
  expect(frames[0]?.place).toBe(0);
  expect(frames.length + buffer.counts.skippedFrames).toBe(Math.floor(totalSamples / FRAME_SAMPLES));
}

const delayOf = ({ place, atMs }: { place: number; atMs: number }): number => atMs - place / 8;

/** A network that holds everything from packet 100 on, and delivers it at once when packet `until` is due. */
const stalled = (index: number, until: number): number => (index >= 100 && index < until ? (until - index) * 20 : 0);

/** Which packets of a voice are in its pauses. */
const isPause = (index: number): boolean => index % 40 >= 34;

const firstTimestamp = fc.integer({ min: 0, max: 0xffff_ffff });
const phaseMs = fc.integer({ min: 0, max: 19 });

describe('the jitter buffer', () => {
  it('plays everything once and in order while jitter is at most 40 ms', () => {
    const transits = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 120 });
    fc.assert(
      fc.property(transits, firstTimestamp, phaseMs, (late, firstTimestamp, phaseMs) => {
        const played = play(
          stream(late.length, 20, (index) => late[index] ?? 0),
          { firstTimestamp, phaseMs },
        );
        expectWhole(played, late.length * 160);
        expect(played.buffer.counts.late).toBe(0);
      }),
    );
  });

  it.each([10, 20, 30, 40, 60])('accepts packets of %d ms', (ptimeMs) => {
    const transits = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 4, maxLength: 100 });
    fc.assert(
      fc.property(transits, phaseMs, (late, phaseMs) => {
        const even = late.length - (late.length % 4);
        const played = play(
          stream(even, ptimeMs, (index) => late[index] ?? 0),
          { phaseMs },
        );
        expectWhole(played, even * ptimeMs * 8);
      }),
      { numRuns: 40 },
    );
  });

  it('never plays anything twice, out of order or more than half a second late, whatever the network does', () => {
    const fate = fc.record({
      transitMs: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 400 })),
      lost: fc.boolean(),
      doubled: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(fate, { maxLength: 150 }), firstTimestamp, phaseMs, (fates, firstTimestamp, phaseMs) => {
        const once = stream(fates.length, 20, (index) => (fates[index]?.lost ? null : (fates[index]?.transitMs ?? 0)));
        const twice = once
          .filter((arrival) => fates[arrival.place / 160]?.doubled)
          .map((one) => ({ ...one, atMs: one.atMs + 35 }));
        const { frames } = play([...once, ...twice], { firstTimestamp, phaseMs });
        expect(steps(frames).every((step) => step >= FRAME_SAMPLES)).toBe(true);
        for (const { place, atMs } of frames) {
          const newest = Math.max(
            ...once.filter((arrival) => arrival.atMs <= atMs).map((arrival) => arrival.place + 160),
          );
          expect(newest - place).toBeLessThanOrEqual(500 * 8);
        }
      }),
    );
  });

  it('conceals a lost packet with the audio before it, and stays in time', () => {
    const { frames, concealedBetween } = play(stream(50, 20, (index) => (index === 20 ? null : 0)));
    expect(steps(frames).filter((step) => step !== 160)).toEqual([320]);
    expect(frames.every(({ place, atMs }) => atMs - place / 8 === (frames[0]?.atMs ?? 0))).toBe(true);
    expect(concealedBetween).toBe(1);
  });

  it('fades within 60 ms once packets stop', () => {
    const buffer = new JitterBuffer();
    for (let index = 0; index < 4; index += 1) buffer.insert(index * 160, new Int16Array(160).fill(8_000), index * 20);
    const peaks = Array.from({ length: 9 }, () => buffer.pull()?.slice()).map((frame) => frame && Math.max(...frame));
    expect(peaks.slice(0, 4)).toEqual([8_000, 8_000, 8_000, 8_000]);
    expect(peaks[4]).toBe(8_000);
    expect(peaks[5]).toBeLessThan(5_400);
    expect(peaks[6]).toBeLessThan(2_700);
    expect(peaks.slice(7)).toEqual([undefined, undefined]);
  });

  it('plays a word that is shorter than its delay', () => {
    const { frames } = play(stream(1, 20, () => 0));
    expect(frames.map(({ place }) => place)).toEqual([0]);
  });

  it('continues after suppressed silence, at once and without the gap', () => {
    const before = stream(50, 20, () => 0);
    const after = stream(50, 20, () => 0).map((one) => ({
      ...one,
      place: one.place + 96_000,
      atMs: one.atMs + 12_000,
    }));
    const { frames } = play([...before, ...after]);
    expect(frames).toHaveLength(100);
    expect((frames[50]?.atMs ?? Infinity) - 12_000).toBeLessThanOrEqual(80);
  });

  it('keeps its delay after a pause in which the timestamps stood still', () => {
    const { frames } = play(stream(200, 20, (index) => (index < 100 ? 0 : 10_000)));
    expect(frames).toHaveLength(200);
    for (const { place, atMs } of frames.slice(100)) expect(atMs - place / 8 - 10_000).toBeLessThanOrEqual(80);
  });

  it('grows its delay after a spike, and shrinks it again', () => {
    const { frames } = play(stream(1_500, 20, (index) => stalled(index, 110)));
    expect(Math.max(...frames.map(delayOf))).toBeGreaterThan(150);
    expect(delayOf(frames.at(-1) ?? { place: 0, atMs: Infinity })).toBeLessThanOrEqual(80);
  });

  it('waits longer once packets are late, without losing them for long', () => {
    const { buffer } = play(stream(500, 20, (index) => (index > 100 && index % 5 === 0 ? 70 : 0)));
    expect(buffer.counts.late).toBeLessThanOrEqual(3);
  });

  it('shrinks its delay in pauses, where there are any', () => {
    const buffer = new JitterBuffer();
    const played = new Set<number>();
    for (let tick = 0; tick < 1_000; tick += 1) {
      // A network that delivers packets 100 to 110 at once, and all others in time.
      for (const index of tick === 110
        ? Array.from({ length: 11 }, (_, nth) => 100 + nth)
        : tick < 100 || tick > 110
          ? [tick]
          : [])
        buffer.insert(index * 160, new Int16Array(160).fill(isPause(index) ? index % 300 : 1_000 + index), tick * 20);
      const sample = buffer.pull()?.[80];
      if (sample !== undefined) played.add(sample);
    }
    const skipped = Array.from({ length: 950 }, (_, index) => index).filter(
      (index) => !played.has(isPause(index) ? index % 300 : 1_000 + index),
    );
    expect(buffer.counts.skippedFrames).toBeGreaterThan(3);
    expect(skipped.filter((index) => !isPause(index))).toEqual([]);
  });

  it('drops what is older than half a second when a stalled network delivers at once', () => {
    const { frames, buffer } = play(stream(300, 20, (index) => stalled(index, 140)));
    expect(buffer.counts.skippedFrames).toBeGreaterThan(0);
    const backlog = frames.filter(({ place }) => place >= 140 * 160);
    expect((backlog[0]?.atMs ?? Infinity) - (backlog[0]?.place ?? 0) / 8).toBeLessThanOrEqual(500);
  });

  it.each([0.99, 1.01])('keeps its delay for two minutes with a sender whose clock runs at %d of ours', (rate) => {
    const { frames } = play(stream(6_000, 20, (index) => index * 20 * (1 / rate - 1)));
    for (const { place, atMs } of frames) expect(atMs - place / 8 / rate).toBeLessThanOrEqual(200);
  });

  it('drops one stray packet, and follows two that agree', () => {
    const voice = stream(100, 20, () => 0);
    const stray = { place: 4_000_000, samples: 160, atMs: 1_001 };
    expect(play([...voice, stray]).frames).toHaveLength(100);
    const jumped = voice.map((one) => ({ ...one, place: one.place + 4_020_000, atMs: one.atMs + 2_000 }));
    const backwards = voice.map((one) => ({ ...one, place: one.place + 30_000_000 }));
    expect(play([...backwards, ...jumped]).frames.length).toBeGreaterThanOrEqual(198);
  });

  it('restarts on reset', () => {
    const buffer = new JitterBuffer();
    for (let index = 0; index < 8; index += 1) buffer.insert(index * 160, new Int16Array(160).fill(8_000), index * 20);
    expect(buffer.pull()).toBeDefined();
    buffer.reset();
    expect(buffer.pull()).toBeUndefined();
    for (let index = 0; index < 8; index += 1) buffer.insert(999_000 + index * 160, new Int16Array(160).fill(5), 0);
    expect(buffer.pull()?.[0]).toBe(5);
  });
});

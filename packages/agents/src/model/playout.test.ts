import { array, assert, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Playout, ULAW_FRAME_BYTES } from './playout.ts';

const sound = (ms: number, fill = 1): Uint8Array => new Uint8Array(ms * 8).fill(fill);

function playAll(playout: Playout, fromMs = 0): { readonly bytes: readonly number[]; readonly nowMs: number } {
  const bytes: number[] = [];
  let nowMs = fromMs;
  for (;;) {
    const frame = playout.pull(nowMs + 20);
    if (frame === undefined) return { bytes, nowMs };
    nowMs += 20;
    bytes.push(...frame);
  }
}

describe('playout', () => {
  test('holds a bounded number of answers of a provider that sends them without end', () => {
    const playout = new Playout();
    for (let nth = 0; nth < 1_000; nth += 1) {
      playout.addSound(`item ${nth}`, sound(20));
      playout.addWords(`item ${nth}`, { text: 'word' });
    }
    expect(playout.items).toHaveLength(32);
    playout.addSound('item 31', sound(20));
    expect(playout.queuedMs).toBe(33 * 20);
  });

  test('plays the sound of items in order, whatever the size of its chunks', () => {
    assert(
      property(
        array(record({ fill: integer({ min: 0, max: 254 }), bytes: integer({ min: 1, max: 700 }) })),
        (chunks) => {
          const playout = new Playout();
          for (const { fill, bytes } of chunks) playout.addSound('one', new Uint8Array(bytes).fill(fill));
          playout.itemOver('one');
          const expected = chunks.flatMap(({ fill, bytes }) => Array.from({ length: bytes }, () => fill));
          const { bytes, nowMs } = playAll(playout);
          expect(bytes.slice(0, expected.length)).toEqual(expected);
          // Only the last frame is filled up, with silence.
          expect(bytes.length - expected.length).toBeLessThan(ULAW_FRAME_BYTES);
          expect(bytes.slice(expected.length).every((byte) => byte === 0xff)).toBe(true);
          if (expected.length > 0) expect(playout.takeFinished()).toMatchObject({ endMs: nowMs, interrupted: false });
          expect(playout.busy).toBe(false);
        },
      ),
    );
  });

  test('waits for the rest of an item that is not over, and plays the next one after it', () => {
    const playout = new Playout();
    playout.addSound('one', sound(30));
    playout.addSound('two', sound(20, 2));
    expect(playout.pull(20)).toHaveLength(ULAW_FRAME_BYTES);
    expect(playout.pull(40)).toBeUndefined();
    playout.addSound('one', sound(10));
    expect(playout.pull(60)?.[0]).toBe(1);
    expect(playout.pull(80)).toBeUndefined();
    playout.itemOver('one');
    expect(playout.pull(100)?.[0]).toBe(2);
    expect(playout.takeFinished()).toMatchObject({ item: 'one', startMs: 0, endMs: 60, playedMs: 40 });
  });

  test('plays on after a pause without losing sound', () => {
    const playout = new Playout();
    playout.addSound('one', sound(60));
    playout.itemOver('one');
    playout.pull(20);
    playout.pause();
    expect(playout.pull(40)).toBeUndefined();
    expect(playout.queuedMs).toBe(40);
    playout.resume();
    expect(playAll(playout, 40).bytes).toHaveLength(2 * ULAW_FRAME_BYTES);
    expect(playout.takeFinished()).toMatchObject({ startMs: 0, endMs: 80, playedMs: 60 });
  });

  test('cuts an item to whole words, and never plays what arrives of it later', () => {
    const playout = new Playout();
    playout.addWords('one', { text: 'Good morning, this is the dental practice.' });
    playout.addSound('one', sound(1_000));
    playout.addSound('two', sound(1_000));
    for (let nowMs = 20; nowMs <= 500; nowMs += 20) playout.pull(nowMs);
    expect(playout.cut()).toEqual({
      item: 'one',
      text: 'Good morning, this is',
      startMs: 0,
      endMs: 500,
      playedMs: 500,
      interrupted: true,
    });
    playout.addSound('one', sound(20));
    playout.addSound('two', sound(20));
    playout.addSound('three', sound(20, 3));
    expect(playout.pull(520)?.[0]).toBe(3);
  });

  test('cuts an item by the times of its words, where the voice reports them', () => {
    const playout = new Playout();
    playout.addWords('one', { text: 'Good ', place: { startMs: 0, endMs: 100 } });
    playout.addWords('one', { text: 'morning, ', place: { startMs: 100, endMs: 500 } });
    playout.addWords('one', { text: 'Anna.', place: { startMs: 900, endMs: 1_000 } });
    playout.addSound('one', sound(1_000));
    for (let nowMs = 20; nowMs <= 840; nowMs += 20) playout.pull(nowMs);
    expect(playout.cut()).toMatchObject({ text: 'Good morning,', playedMs: 840 });
  });

  test('drops an item without a turn if none of it was heard', () => {
    const playout = new Playout();
    playout.addSound('one', sound(100));
    expect(playout.cut()).toBeNull();
    expect(playout.busy).toBe(false);
  });

  test('makes no turn of an item without sound', () => {
    const playout = new Playout();
    playout.addWords('one', { text: 'Silent.' });
    playout.itemOver('one');
    expect(playout.pull(20)).toBeUndefined();
    expect(playout.takeFinished()).toBeUndefined();
  });
});

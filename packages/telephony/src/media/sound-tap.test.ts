import type { CallSound } from '@outdial/calls';
import { describe, expect, it } from 'vitest';
import { CountingAgent, openConversationWith } from '../../test/counting-conversation.ts';
import { STEREO_FRAME_SAMPLES } from './frames.ts';
import { SoundTap, takenBatches } from './sound-tap.ts';

const frame = (sample: number) => new Int16Array(STEREO_FRAME_SAMPLES).fill(sample);

function openTap(forMs: number) {
  const tap = new SoundTap();
  const taken = takenBatches();
  const batches: CallSound[] = [];
  let written = 0;
  return {
    tap,
    taken,
    batches,
    open: (ms = forMs) => tap.open({ forMs: ms, taken, onBatch: (batch) => batches.push(batch) }),
    write: (frames: number) => {
      for (let nth = 0; nth < frames; nth += 1) tap.write(frame((written += 1)));
    },
  };
}

describe('a tap of a call’s sound', () => {
  it('copies nothing until it is opened, and nothing after its time', () => {
    const { batches, open, write } = openTap(300);
    write(10);
    open();
    write(100);
    expect(batches.map(({ firstFrame }) => firstFrame)).toEqual([10, 15, 20]);
    expect(batches.map(({ samples }) => samples.length)).toEqual([1_600, 1_600, 1_600]);
    expect(batches[1]?.samples[0]).toBe(16);
  });

  it('closes at once with no time, and begins again with the next frame', () => {
    const { batches, open, write } = openTap(1_000);
    open();
    write(7);
    open(0);
    write(20);
    open();
    write(5);
    expect(batches.map(({ firstFrame }) => firstFrame)).toEqual([0, 27]);
  });

  it('hands over a second at most to a reader that takes nothing, however long it is open', () => {
    const { batches, open, write, taken } = openTap(600_000);
    open();
    write(10_000);
    open();
    write(10_000);
    expect(batches).toHaveLength(10);
    Atomics.add(taken, 0, 3);
    write(100);
    expect(batches).toHaveLength(13);
    expect(batches.at(-1)?.firstFrame).toBe(20_010);
  });

  it('is a copy: a frame that is written later changes no batch', () => {
    const { batches, open, write } = openTap(1_000);
    open();
    write(10);
    expect(batches.map(({ samples }) => samples[0])).toEqual([1, 6]);
  });
});

describe('a monitored conversation', () => {
  it('reports both sides in step callee first, and only while it is monitored', async () => {
    const { clock, conversation, leg } = await openConversationWith(new CountingAgent());
    const heard: { firstFrame: number; sides: [number, number] }[] = [];
    conversation.answered();
    clock.turn(100);
    conversation.monitor(200, ({ firstFrame, samples: [callee = 0, agent = 0] }) => {
      heard.push({ firstFrame, sides: [callee, agent] });
    });
    clock.turn(1_000);
    expect(heard).toEqual([
      { firstFrame: 5, sides: [6, -6] },
      { firstFrame: 10, sides: [11, -11] },
    ]);
    expect(leg.sent).toHaveLength(55);
  });

  it('records and talks on when its monitor fails', async () => {
    const { clock, conversation, errors, leg, channels } = await openConversationWith(new CountingAgent());
    conversation.answered();
    conversation.monitor(10_000, () => {
      throw new Error('no reader');
    });
    clock.turn(1_000);
    expect(leg.sent).toHaveLength(50);
    expect(channels().callee).toHaveLength(50 * 160);
    expect(errors).toHaveLength(10);
  });
});

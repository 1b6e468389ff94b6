import { buffer } from 'node:stream/consumers';
import type { CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { describe, expect, test } from 'vitest';
import type { RecordingStore } from '../../ports/recording-store.ts';
import { newCallId } from '../ids.ts';
import { stageForEach, type Stage } from '../stage-for-each.ts';

export interface RecordingStoreStage extends Stage {
  readonly store: RecordingStore;
  /** After the end of a call: brings its recording to where `open` finds it. */
  readonly deliver: (callId: CallId) => Promise<void>;
  /** The samples in the bytes of a recording. */
  readonly samplesOf: (recording: Buffer) => Int16Array;
}

const STEREO_FRAME_SAMPLES = 320;

/** Frames whose samples count up, so that a lost or duplicated one shows. */
function countingFrames(frames: number): readonly Int16Array[] {
  return Array.from({ length: frames }, (_, frame) =>
    Int16Array.from({ length: STEREO_FRAME_SAMPLES }, (__, at) => (frame * STEREO_FRAME_SAMPLES + at) % 32_768),
  );
}

/** What every `RecordingStore` promises. */
export function describeRecordingStore(name: string, open: () => Promise<RecordingStoreStage>): void {
  describe(`a recording store: ${name}`, () => {
    const stage = stageForEach(open);
    sinkCases(stage);
    readCases(stage);
  });
}

async function recorded({ store, deliver }: RecordingStoreStage, frames: number): Promise<string> {
  const callId = newCallId();
  const sink = store.create(callId);
  for (const frame of countingFrames(frames)) sink.write(frame);
  expect(await sink.close()).toBe(true);
  await deliver(callId);
  return sink.key;
}

async function read({ store }: RecordingStoreStage, key: string, range?: { start: number; end: number }) {
  const recording = await store.open(key);
  invariant(recording, 'the recording is there');
  return buffer(recording.read(range ?? { start: 0, end: recording.sizeBytes - 1 }));
}

function sinkCases(stage: () => RecordingStoreStage): void {
  describe('the recording of a call', () => {
    test('has the key of the call, which is known before it exists', async () => {
      const { store } = stage();
      const [callId, other] = [newCallId(), newCallId()];
      const key = store.keyOf(callId);
      expect(store.keyOf(other)).not.toBe(key);
      const sink = store.create(callId);
      expect(sink.key).toBe(key);
      await sink.close();
    });

    test('keeps what was written, whatever becomes of the samples afterwards', async () => {
      const { store, deliver, samplesOf } = stage();
      const callId = newCallId();
      const sink = store.create(callId);
      const [frame = new Int16Array()] = countingFrames(1);
      sink.write(frame);
      frame.fill(-1);
      await sink.close();
      await deliver(callId);
      expect([...samplesOf(await read(stage(), sink.key))]).toEqual([...(countingFrames(1)[0] ?? [])]);
    });

    test('takes nothing more once it is closed, and closing again reports the same', async () => {
      const { store, deliver, samplesOf } = stage();
      const callId = newCallId();
      const sink = store.create(callId);
      const [frame = new Int16Array()] = countingFrames(1);
      sink.write(frame);
      expect(await sink.close()).toBe(true);
      sink.write(frame);
      expect(await sink.close()).toBe(true);
      await deliver(callId);
      expect(samplesOf(await read(stage(), sink.key))).toHaveLength(STEREO_FRAME_SAMPLES);
    });

    test('without sound is none', async () => {
      const { store } = stage();
      const sink = store.create(newCallId());
      expect(await sink.close()).toBe(false);
      expect(await store.open(sink.key)).toBeNull();
      expect(await store.repair(sink.key)).toBe(false);
    });

    test('that is intact is left as it is by a repair', async () => {
      const { store, deliver, samplesOf } = stage();
      const callId = newCallId();
      const sink = store.create(callId);
      for (const frame of countingFrames(5)) sink.write(frame);
      await sink.close();
      expect(await store.repair(sink.key)).toBe(true);
      await deliver(callId);
      expect(samplesOf(await read(stage(), sink.key))).toHaveLength(5 * STEREO_FRAME_SAMPLES);
    });
  });
}

function readCases(stage: () => RecordingStoreStage): void {
  describe('a stored recording', () => {
    test('is read as it was written', async () => {
      const key = await recorded(stage(), 521);
      const samples = stage().samplesOf(await read(stage(), key));
      expect([...samples]).toEqual(countingFrames(521).flatMap((frame) => [...frame]));
    });

    test('is read in any range, both ends included', async () => {
      const key = await recorded(stage(), 3);
      const whole = await read(stage(), key);
      expect((await stage().store.open(key))?.sizeBytes).toBe(whole.length);
      for (const [start, end] of [
        [0, 1],
        [1, 1],
        [100, 700],
        [whole.length - 1, whole.length - 1],
      ] as const) {
        expect((await read(stage(), key, { start, end })).equals(whole.subarray(start, end + 1))).toBe(true);
      }
    });

    test('of another call is not found under this one', async () => {
      const { store } = stage();
      await recorded(stage(), 1);
      const key = store.keyOf(newCallId());
      expect(await store.open(key)).toBeNull();
      expect(await store.repair(key)).toBe(false);
      expect(await store.open('')).toBeNull();
      expect(await store.repair('')).toBe(false);
    });
  });
}

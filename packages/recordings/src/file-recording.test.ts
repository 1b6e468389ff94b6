import { EventEmitter, once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { callIdSchema } from '@outdial/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWav } from '../test/read-wav.ts';
import { countingFrames, newCallId, STEREO_FRAME_SAMPLES, TestStore } from '../test/test-store.ts';
import { createFile, type RecordingFile } from './file-recording.ts';

let files: TestStore;

beforeEach(async () => {
  files = await TestStore.create();
});
afterEach(() => files.remove());

describe('a recording', () => {
  it('is a stereo WAV of 8 kHz and 16 bits that holds every sample that was written', async () => {
    const store = files.open();
    const callId = newCallId();
    const sink = store.create(callId);
    const frames = countingFrames(521);
    for (const frame of frames) sink.write(frame);
    expect(await sink.close()).toBe(true);
    expect(sink.key).toBe(store.keyOf(callId));
    const wav = readWav(await readFile(files.pathOf(sink.key)));
    expect(wav).toMatchObject({ channels: 2, sampleRateHz: 8_000, bitsPerSample: 16, riffBytes: 521 * 640 + 36 });
    expect([...wav.samples]).toEqual(frames.flatMap((frame) => [...frame]));
    expect(files.errors).toEqual([]);
  });

  it('copies its input, because the caller reuses one buffer for all frames', async () => {
    const store = files.open();
    const sink = store.create(newCallId());
    const shared = new Int16Array(STEREO_FRAME_SAMPLES);
    for (let frame = 1; frame <= 300; frame += 1) sink.write(shared.fill(frame));
    await sink.close();
    const { samples } = readWav(await readFile(files.pathOf(sink.key)));
    expect([...samples].every((sample, at) => sample === Math.floor(at / STEREO_FRAME_SAMPLES) + 1)).toBe(true);
  });

  it('of a call without sound leaves no file', async () => {
    const store = files.open();
    const sink = store.create(newCallId());
    expect(await sink.close()).toBe(false);
    expect(await store.open(sink.key)).toBeNull();
    expect(files.errors).toEqual([]);
  });

  it('resolves repeated closes the same way, and ignores later writes', async () => {
    const store = files.open();
    const sink = store.create(newCallId());
    sink.write(new Int16Array(STEREO_FRAME_SAMPLES));
    const closed = await Promise.all([sink.close(), sink.close()]);
    sink.write(new Int16Array(STEREO_FRAME_SAMPLES));
    expect(closed).toEqual([true, true]);
    expect(await sink.close()).toBe(true);
    expect((await stat(files.pathOf(sink.key))).size).toBe(44 + 640);
  });

  it('never overwrites another one of the same call', async () => {
    const store = files.open();
    const callId = newCallId();
    const first = store.create(callId);
    first.write(new Int16Array(STEREO_FRAME_SAMPLES).fill(7));
    await first.close();
    const before = await readFile(files.pathOf(first.key));
    const second = store.create(callId);
    second.write(new Int16Array(STEREO_FRAME_SAMPLES).fill(9));
    expect(await second.close()).toBe(false);
    expect(files.errors).toHaveLength(1);
    expect(await readFile(files.pathOf(first.key))).toEqual(before);
  });

  it('is stored in one of 256 folders, spread by the random end of the id', async () => {
    const store = files.open();
    const callId = callIdSchema.parse('0195a000-0000-7000-8000-0000000000ab');
    expect(store.keyOf(callId)).toBe('ab/0195a000-0000-7000-8000-0000000000ab.wav');
    const sink = store.create(callId);
    sink.write(new Int16Array(STEREO_FRAME_SAMPLES));
    await sink.close();
    expect(await readdir(files.directory)).toEqual(['ab']);
  });

  it('is playable while it is being written: the header is updated after every chunk', async () => {
    const positions: { position: number; length: number }[] = [];
    const store = files.open(async (path) => {
      const file = await createFile(path);
      return {
        close: () => file.close(),
        write(bytes, offset, length, position) {
          positions.push({ position, length });
          return file.write(bytes, offset, length, position);
        },
      };
    });
    const sink = store.create(newCallId());
    for (const frame of countingFrames(500)) sink.write(frame);
    await sink.close();
    // The header, and then always sound before the header that counts it.
    expect(positions.length).toBeGreaterThan(10);
    for (const [at, { position, length }] of positions.entries()) {
      expect(position === 0 && length === 44).toBe(at % 2 === 0);
    }
  });
});

/** A disk that is full after `capacityBytes` and accepts at most 1,000 bytes per write. */
function diskOf(capacityBytes: number): (path: string) => Promise<RecordingFile> {
  return async (path) => {
    const file = await createFile(path);
    return {
      close: () => file.close(),
      write(bytes, offset, length, position) {
        const taken = Math.min(1_000, length);
        if (position + taken > capacityBytes) return Promise.reject(new Error('ENOSPC: no space left on device'));
        return file.write(bytes, offset, taken, position);
      },
    };
  };
}

describe('a failing disk', () => {
  it('fails only close, is reported once, and leaves no partial recording', async () => {
    const store = files.open(diskOf(100_000));
    const sink = store.create(newCallId());
    for (const frame of countingFrames(1_000)) sink.write(frame);
    expect(await sink.close()).toBe(false);
    expect(files.errors).toEqual([expect.objectContaining({ message: expect.stringContaining('ENOSPC') })]);
    expect(await store.open(sink.key)).toBeNull();
  });

  it('that accepts only a part of each write gets the rest in another write', async () => {
    const store = files.open(diskOf(10_000_000));
    const sink = store.create(newCallId());
    const frames = countingFrames(700);
    for (const frame of frames) sink.write(frame);
    expect(await sink.close()).toBe(true);
    const { samples } = readWav(await readFile(files.pathOf(sink.key)));
    expect([...samples]).toEqual(frames.flatMap((frame) => [...frame]));
  });

  it('that cannot open the file fails only close', async () => {
    const store = files.open(() => Promise.reject(new Error('EACCES: permission denied')));
    const sink = store.create(newCallId());
    for (const frame of countingFrames(1_000)) sink.write(frame);
    expect(await sink.close()).toBe(false);
    expect(files.errors).toHaveLength(1);
  });

  it('that stops responding does not fill the memory: the recording is abandoned', async () => {
    const release = new EventEmitter();
    const blocked = once(release, 'release');
    const store = files.open(async (path) => {
      const file = await createFile(path);
      await blocked;
      return file;
    });
    const sink = store.create(newCallId());
    const tenSeconds = new Int16Array(160_000);
    for (let seconds = 0; seconds < 300; seconds += 10) sink.write(tenSeconds);
    expect(files.errors).toEqual([expect.objectContaining({ message: expect.stringContaining('too slow') })]);
    release.emit('release');
    expect(await sink.close()).toBe(false);
  });
});

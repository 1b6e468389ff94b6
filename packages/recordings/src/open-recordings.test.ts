import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describeRecordingStore } from '@outdial/calls/testing';
import type { CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWav } from '../test/read-wav.ts';
import { openFilesystem, openS3, type Stored } from '../test/stored.ts';
import { countingFrames, newCallId } from '../test/test-store.ts';

/** The guarantees of every store. */
describe.each<[string, () => Promise<Stored>]>([
  ['the filesystem', openFilesystem],
  ['an S3 store', openS3],
  ['an S3 store, without a prefix', () => openS3({ prefix: '' })],
])('recordings in %s', (_, open) => {
  let stored: Stored;
  beforeAll(async () => {
    stored = await open();
  });
  afterAll(() => stored.remove());

  async function opened(key: string) {
    const recording = await stored.store.open(key);
    invariant(recording, 'the recording is there');
    return recording;
  }

  async function bytesOf(key: string): Promise<Buffer> {
    const recording = await opened(key);
    return buffer(recording.read({ start: 0, end: recording.sizeBytes - 1 }));
  }

  async function listed(): Promise<readonly CallId[]> {
    const callIds: CallId[] = [];
    for await (const batch of stored.inventory.list()) callIds.push(...batch);
    return callIds;
  }

  it('are usable', async () => {
    expect(await stored.check()).toEqual({ kind: 'usable' });
  });

  describeRecordingStore('opened as an app opens it', async () => ({
    store: stored.store,
    deliver: (callId) => stored.deliver(callId),
    samplesOf: (recording) => readWav(recording).samples,
    close: async () => undefined,
  }));

  it('are read in any range, both ends included', async () => {
    const { key } = await stored.record(3);
    expect(stored.errors).toEqual([]);
    const recording = await opened(key);
    const whole = await bytesOf(key);
    expect(recording.sizeBytes).toBe(whole.length);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(whole.length - 1), async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        // The test's S3 server treats an end of 0 as none.
        fc.pre(end > 0);
        const read = await buffer(recording.read({ start, end }));
        expect(read.equals(whole.subarray(start, end + 1))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('that are not read to the end block nothing', async () => {
    const { key } = await stored.record(2_000);
    const recording = await opened(key);
    for (let reader = 0; reader < 300; reader += 1) {
      const stream = recording.read({ start: 0, end: recording.sizeBytes - 1 });
      for await (const chunk of stream) {
        expect(chunk).toBeInstanceOf(Uint8Array);
        break;
      }
      expect(stream.destroyed).toBe(true);
    }
    expect((await bytesOf(key)).length).toBe(recording.sizeBytes);
  });

  it('of a crashed process are repaired, and then intact', async () => {
    const callId = newCallId();
    const sink = stored.store.create(callId);
    for (const frame of countingFrames(500)) sink.write(frame);
    await sink.close();
    // Cut off in the middle of a sample, with an earlier header.
    await truncate(join(stored.directory, sink.key), 44 + 100_001);
    expect(await stored.store.repair(sink.key)).toBe(true);
    await stored.deliver(callId);
    expect(readWav(await bytesOf(sink.key)).samples.length).toBe(50_000);
  });

  it.each([
    '../../etc/passwd',
    'ab/../../../etc/passwd',
    '/etc/passwd',
    'ab/0195a000-0000-7000-8000-0000000000ab.wav/..',
    'ab/0195a000-0000-7000-8000-0000000000ab.wav\n',
    'cd/0195a000-0000-7000-8000-0000000000ab.wav',
    'AB/0195A000-0000-7000-8000-0000000000AB.WAV',
    'ab/0195a000-0000-7000-8000-0000000000ab.wav',
    '',
  ])('are not found under %j', async (key) => {
    expect(await stored.store.open(key)).toBeNull();
    expect(await stored.store.repair(key)).toBe(false);
  });

  it('are listed, and removing some keeps the others', async () => {
    const [kept, removed, other] = [await stored.record(5), await stored.record(5), await stored.record(5)];
    expect(await listed()).toEqual(expect.arrayContaining([kept.callId, removed.callId, other.callId]));
    await stored.inventory.remove([removed.callId, newCallId(), other.callId]);
    expect(await stored.store.open(removed.key)).toBeNull();
    expect(await stored.store.open(other.key)).toBeNull();
    expect((await listed()).filter((callId) => [removed.callId, other.callId].includes(callId))).toEqual([]);
    expect((await bytesOf(kept.key)).length).toBe(44 + 5 * 640);
  });

  it('that are still on this machine are listed and removed too', async () => {
    const callId = newCallId();
    const sink = stored.store.create(callId);
    for (const frame of countingFrames(5)) sink.write(frame);
    await sink.close();
    await writeFile(join(stored.directory, 'notes.txt'), 'not a recording');
    expect(await listed()).toContain(callId);
    await stored.inventory.remove([callId]);
    expect(await listed()).not.toContain(callId);
    expect(await readFile(join(stored.directory, 'notes.txt'), 'utf8')).toBe('not a recording');
  });
});

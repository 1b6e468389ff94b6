import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readWav } from '../test/read-wav.ts';
import { countingFrames, newCallId } from '../test/test-store.ts';
import { tinyDisk, type TinyDisk } from '../test/tiny-disk.ts';
import { createFileRecordings } from './file-recordings.ts';

/** Room for about six seconds of sound. */
const CAPACITY_BYTES = 196_608;
const TWENTY_SECONDS = 1_000;
const ONE_SECOND = 50;

let disk: TinyDisk;
let errors: unknown[];
beforeEach(async () => {
  disk = await tinyDisk(CAPACITY_BYTES);
  errors = [];
});
afterEach(() => disk.close());

const noteError = (error: unknown) => void errors.push(error);

function openStore() {
  const { directory, openFile } = disk;
  return createFileRecordings({ directory, onError: noteError, ...(openFile ? { openFile } : {}) });
}

it('a full disk costs a call only its recording; it is reported once, and the partial file is deleted', async () => {
  const store = openStore();
  const sink = store.create(newCallId());
  for (const frame of countingFrames(TWENTY_SECONDS)) sink.write(frame);
  expect(await sink.close()).toBe(false);
  expect(errors).toEqual([expect.objectContaining({ code: 'ENOSPC' })]);
  expect(await store.open(sink.key)).toBeNull();
});

it('the next call is recorded, because there is room again', async () => {
  const store = openStore();
  const tooLong = store.create(newCallId());
  for (const frame of countingFrames(TWENTY_SECONDS)) tooLong.write(frame);
  await tooLong.close();
  const next = store.create(newCallId());
  const frames = countingFrames(ONE_SECOND);
  for (const frame of frames) next.write(frame);
  expect(await next.close()).toBe(true);
  const { samples } = readWav(await readFile(join(disk.directory, next.key)));
  expect([...samples]).toEqual(frames.flatMap((frame) => [...frame]));
  await rm(join(disk.directory, next.key));
});

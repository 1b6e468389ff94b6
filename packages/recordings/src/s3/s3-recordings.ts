import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingInventory, RecordingOutbox, RecordingStore, StoredRecording } from '@outdial/calls';
import { createFileInventory } from '../file-inventory.ts';
import { createFileRecordings, type FileRecordingsOptions } from '../file-recordings.ts';
import { inBatches, LONGEST_BATCH } from '../in-batches.ts';
import { isMissing, mendWav } from '../mend-wav.ts';
import { callIdOfKey, recordingKeyOf } from '../recording-key.ts';
import { isStoreAway, RecordingStoreAway } from './s3-errors.ts';
import type { S3Objects } from './s3-objects.ts';

export interface S3RecordingsOptions extends FileRecordingsOptions {
  readonly objects: Promise<S3Objects>;
}

export interface S3Recordings {
  readonly store: RecordingStore;
  /** Both what is in the bucket and what still lies here: neither may outlive its time. */
  readonly inventory: RecordingInventory;
  readonly outbox: RecordingOutbox;
}

/** Objects that are deleted side by side. There is a request for many at once, but not every store takes it. */
const DELETES_AT_ONCE = 8;

/**
 * Recordings in a bucket. A running call's lies in a folder of this machine, so that neither a slow store nor a crash
 * costs any of it; once the call has ended, whoever goes through the outbox uploads it.
 */
export function createS3Recordings({ objects, ...folder }: S3RecordingsOptions): S3Recordings {
  const local = createFileRecordings(folder);
  const localInventory = createFileInventory(folder.directory);
  return {
    store: {
      ...local,
      open: async (key) => (callIdOfKey(key) === undefined ? null : openObject(await objects, key)),
    },
    inventory: {
      async *list() {
        yield* localInventory.list();
        yield* inBatches(callsOf(await objects), LONGEST_BATCH);
      },
      async remove(callIds) {
        await localInventory.remove(callIds);
        const bucket = await objects;
        const keys = callIds.map(recordingKeyOf).values();
        const lane = async () => {
          for (const key of keys) await bucket.remove(key);
        };
        await Promise.all(Array.from({ length: DELETES_AT_ONCE }, lane));
      },
    },
    outbox: {
      list: () => localInventory.list(),
      async upload(callId, aborted) {
        const key = recordingKeyOf(callId);
        const path = join(folder.directory, key);
        try {
          if (!(await mendWav(path))) return (await isThere(path)) ? 'unplayable' : 'gone';
          await (await objects).put(key, path, aborted);
          return 'stored';
        } catch (error) {
          if (isMissing(error)) return 'gone';
          throw error;
        }
      },
      discard: (callId) => localInventory.remove([callId]),
    },
  };
}

async function openObject(objects: S3Objects, key: string): Promise<StoredRecording | null> {
  try {
    return await objects.open(key);
  } catch (error) {
    throw isStoreAway(error) ? new RecordingStoreAway(error) : error;
  }
}

async function* callsOf(objects: S3Objects) {
  for await (const key of objects.list()) {
    const callId = callIdOfKey(key);
    if (callId !== undefined) yield callId;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingInventory, RecordingOutbox, RecordingStore, StoredRecording } from '@outdial/calls';
import { createFileInventory } from '../file-inventory.ts';
import { createFileRecordings, type FileRecordingsOptions } from '../file-recordings.ts';
import { inBatches, MAX_BATCH } from '../in-batches.ts';
import { isMissing, repairWav } from '../repair-wav.ts';
import { callIdOfKey, recordingKeyOf } from '../recording-key.ts';
import { isStoreUnavailable, RecordingStoreUnavailable } from './s3-errors.ts';
import type { S3Objects } from './s3-objects.ts';

export interface S3RecordingsOptions extends FileRecordingsOptions {
  readonly objects: Promise<S3Objects>;
}

export interface S3Recordings {
  readonly store: RecordingStore;
  /** Recordings in the bucket and those still on this machine: retention applies to both. */
  readonly inventory: RecordingInventory;
  readonly outbox: RecordingOutbox;
}

/** Concurrent deletes. S3 has a bulk request, but not every store supports it. */
const MAX_CONCURRENT_DELETES = 8;

/**
 * Recordings in a bucket. A running call records to a folder of this machine, so that neither a slow store nor a crash
 * loses sound; after the call has ended, a worker uploads the outbox.
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
        yield* inBatches(callsOf(await objects), MAX_BATCH);
      },
      async remove(callIds) {
        await localInventory.remove(callIds);
        const bucket = await objects;
        const keys = callIds.map(recordingKeyOf).values();
        const deleteNext = async () => {
          for (const key of keys) await bucket.remove(key);
        };
        await Promise.all(Array.from({ length: MAX_CONCURRENT_DELETES }, deleteNext));
      },
    },
    outbox: {
      list: () => localInventory.list(),
      async upload(callId, aborted) {
        const key = recordingKeyOf(callId);
        const path = join(folder.directory, key);
        try {
          if (!(await repairWav(path))) return (await exists(path)) ? 'unplayable' : 'gone';
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
    throw isStoreUnavailable(error) ? new RecordingStoreUnavailable(error) : error;
  }
}

async function* callsOf(objects: S3Objects) {
  for await (const key of objects.list()) {
    const callId = callIdOfKey(key);
    if (callId !== undefined) yield callId;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

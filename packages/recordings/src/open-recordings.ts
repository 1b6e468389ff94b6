import type { RecordingInventory, RecordingOutbox, RecordingStore } from '@outdial/calls';
import { createFileInventory } from './file-inventory.ts';
import { createFileRecordings } from './file-recordings.ts';
import type { BucketCheck } from './s3/check-bucket.ts';
import type { S3Objects } from './s3/s3-objects.ts';
import { makePrivate } from './private-folder.ts';
import { createS3Recordings } from './s3/s3-recordings.ts';
import type { S3Settings } from './s3/s3-settings.ts';

export interface RecordingsOptions {
  /** Where running calls are recorded, and where recordings stay without `s3`. */
  readonly directory: string;
  readonly s3: S3Settings | null;
  readonly onError: (error: unknown, key: string) => void;
}

/** The recordings of this installation, in a folder or in a bucket. */
export interface Recordings {
  readonly store: RecordingStore;
  readonly inventory: RecordingInventory;
  /** Null if recordings stay on the disk that they were written to. */
  readonly outbox: RecordingOutbox | null;
  /**
   * Restricts the folder's permissions, then checks whether the store can be used. Call it once, at the start.
   * @throws EnvError if these settings can never work
   */
  check(): Promise<BucketCheck>;
  close(): Promise<void>;
}

export function openRecordings({ directory, s3, onError }: RecordingsOptions): Recordings {
  const restrictFolder = () => makePrivate(directory).catch((error: unknown) => onError(error, directory));
  if (s3 === null) {
    return {
      store: createFileRecordings({ directory, onError }),
      inventory: createFileInventory(directory),
      outbox: null,
      async check() {
        await restrictFolder();
        return { kind: 'usable' };
      },
      close: async () => undefined,
    };
  }
  const objects = loadObjects(s3);
  return {
    ...createS3Recordings({ objects, directory, onError }),
    async check() {
      await restrictFolder();
      return (await objects).check();
    },
    close: async () => (await objects).close(),
  };
}

/** Loaded lazily: installations without a bucket and media threads avoid the SDK's 20 MB and third of a second. */
async function loadObjects(settings: S3Settings): Promise<S3Objects> {
  const { createS3Objects } = await import('./s3/s3-objects.ts');
  return createS3Objects(settings);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { privateS3, type PrivateS3 } from '@outdial/testkit';
import { openRecordings, type Recordings } from '../src/open-recordings.ts';
import type { S3Settings } from '../src/s3/s3-settings.ts';
import { countingFrames, newCallId } from './test-store.ts';

/** Recordings in either store, opened as an app opens them. */
export interface Stored extends Recordings {
  readonly directory: string;
  readonly errors: unknown[];
  /** Makes a finished recording of this many frames, uploaded if there is a bucket. */
  record(frames: number): Promise<{ readonly callId: CallId; readonly key: string }>;
  /** Uploads the recording, as a worker does after the call. */
  deliver(callId: CallId): Promise<void>;
  remove(): Promise<void>;
}

async function openStored(s3: S3Settings | null): Promise<Stored> {
  const directory = await mkdtemp(join(tmpdir(), 'recordings-'));
  const errors: unknown[] = [];
  const recordings = openRecordings({ directory, s3, onError: (error) => void errors.push(error) });
  const deliver = async (callId: CallId) => {
    if (!recordings.outbox) return;
    const outcome = await recordings.outbox.upload(callId, new AbortController().signal);
    invariant(outcome === 'stored', `the recording is stored, and is ${outcome}`);
    await recordings.outbox.discard(callId);
  };
  return {
    ...recordings,
    directory,
    errors,
    deliver,
    async record(frames) {
      const callId = newCallId();
      const sink = recordings.store.create(callId);
      for (const frame of countingFrames(frames)) sink.write(frame);
      invariant(await sink.close(), 'the recording is complete');
      await deliver(callId);
      return { callId, key: sink.key };
    },
    async remove() {
      await recordings.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export const openFilesystem = (): Promise<Stored> => openStored(null);

export function s3SettingsFor(server: PrivateS3, changes: Partial<S3Settings> = {}): S3Settings {
  return { bucket: server.bucket, prefix: 'outdial/', endpoint: server.url, forcePathStyle: true, ...changes };
}

export interface StoredInS3 extends Stored {
  readonly server: PrivateS3;
}

/** Recordings in a bucket of a private server. The SDK reads its credentials from the environment, as in production. */
export async function openS3(changes: Partial<S3Settings> = {}): Promise<StoredInS3> {
  const server = await privateS3();
  Object.assign(process.env, server.credentials);
  const stored = await openStored(s3SettingsFor(server, changes));
  return {
    ...stored,
    server,
    async remove() {
      await stored.remove();
      await server.close();
    },
  };
}

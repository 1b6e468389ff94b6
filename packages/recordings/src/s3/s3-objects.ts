import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { StoredRecording } from '@outdial/calls';
import { invariant } from '@outdial/kernel';
import { checkBucket, type BucketCheck } from './check-bucket.ts';
import { createS3Client } from './s3-client.ts';
import { isNoSuchObject } from './s3-errors.ts';
import type { S3Settings } from './s3-settings.ts';

/** The objects below a prefix of one bucket, with keys relative to the prefix. */
export interface S3Objects {
  /** Null if the object does not exist. */
  open(key: string): Promise<StoredRecording | null>;
  /** Atomic: an upload that breaks off leaves no object. */
  put(key: string, path: string, aborted: AbortSignal): Promise<void>;
  remove(key: string): Promise<void>;
  list(): AsyncIterable<string>;
  /** @throws EnvError if the bucket can never be used with these settings */
  check(): Promise<BucketCheck>;
  close(): void;
}

export function createS3Objects(settings: S3Settings): S3Objects {
  const { bucket, prefix } = settings;
  const client = createS3Client(settings);
  const objectOf = (key: string) => ({ Bucket: bucket, Key: prefix + key });
  return {
    async open(key) {
      try {
        const { ContentLength: sizeBytes, ETag } = await client.send(new HeadObjectCommand(objectOf(key)));
        invariant(sizeBytes !== undefined, 'a store returns the length of an object');
        const object = { ...objectOf(key), ...(ETag === undefined ? {} : { IfMatch: ETag }) };
        return {
          sizeBytes,
          read: ({ start, end }) =>
            Readable.from(bytesOf(client, object, `bytes=${start}-${end}`), { objectMode: false }),
        };
      } catch (error) {
        if (isNoSuchObject(error)) return null;
        throw error;
      }
    },

    async put(key, path, aborted) {
      const { size } = await stat(path);
      const digest = await md5Of(path, aborted);
      const body = createReadStream(path);
      try {
        // One request of known length: a recording is at most 230 MB, and is never held in memory. The store checks
        // the digest before the only other copy is deleted.
        const upload = {
          ...objectOf(key),
          Body: body,
          ContentLength: size,
          ContentMD5: digest,
          ContentType: 'audio/wav',
        };
        await client.send(new PutObjectCommand(upload), { abortSignal: aborted });
      } finally {
        body.destroy();
      }
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand(objectOf(key)));
    },

    async *list() {
      let ContinuationToken: string | undefined;
      do {
        const page = {
          Bucket: bucket,
          Prefix: prefix,
          ...(ContinuationToken === undefined ? {} : { ContinuationToken }),
        };
        const { Contents = [], NextContinuationToken } = await client.send(new ListObjectsV2Command(page));
        for (const { Key } of Contents) if (Key !== undefined) yield Key.slice(prefix.length);
        ContinuationToken = NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    check: () => checkBucket(client, settings),
    close: () => client.destroy(),
  };
}

/** Sends the request with the first read, and follows the reader's pace. */
async function* bytesOf(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string; readonly IfMatch?: string },
  range: string,
): AsyncGenerator<Uint8Array> {
  const { Body } = await client.send(new GetObjectCommand({ ...object, Range: range }));
  invariant(Body instanceof Readable, 'the SDK returns a stream in Node');
  yield* Body;
}

async function md5Of(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('md5');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('base64');
}

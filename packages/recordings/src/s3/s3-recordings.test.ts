import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { invariant } from '@outdial/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openS3, s3SettingsFor, type StoredInS3 } from '../../test/stored.ts';
import { countingFrames, newCallId } from '../../test/test-store.ts';
import { createS3Client } from './s3-client.ts';
import { isStoreUnavailable, RecordingStoreUnavailable } from './s3-errors.ts';

let stored: StoredInS3;
beforeAll(async () => {
  stored = await openS3();
});
afterEach(() => stored.server.answerWith());
afterAll(() => stored.remove());

/** A finished recording that is still on this machine. */
async function recordedHere(frames: number) {
  const callId = newCallId();
  const sink = stored.store.create(callId);
  for (const frame of countingFrames(frames)) sink.write(frame);
  expect(await sink.close()).toBe(true);
  return { callId, key: sink.key };
}

function upload(callId: ReturnType<typeof newCallId>, aborted: AbortSignal = new AbortController().signal) {
  invariant(stored.outbox, 'recordings are uploaded');
  return stored.outbox.upload(callId, aborted);
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  );
}

describe('an upload', () => {
  it('fails as unavailable while no store listens, and succeeds once it is back', async () => {
    const { callId, key } = await recordedHere(100);
    await stored.server.stop();
    try {
      expect(isStoreUnavailable(await failureOf(upload(callId)))).toBe(true);
    } finally {
      await stored.server.start();
    }
    expect(await stored.store.open(key)).toBeNull();
    expect(await upload(callId)).toBe('stored');
    expect((await stored.store.open(key))?.sizeBytes).toBe(44 + 100 * 640);
  });

  it('that is cut off leaves no object in the bucket, and the whole file here', async () => {
    const { callId, key } = await recordedHere(5_000);
    let received = 0;
    stored.server.answerWith((request) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > 1_000_000) request.socket.destroy();
      });
    });
    expect(isStoreUnavailable(await failureOf(upload(callId)))).toBe(true);
    stored.server.answerWith();
    expect(await stored.store.open(key)).toBeNull();
    expect(await upload(callId)).toBe('stored');
    expect((await stored.store.open(key))?.sizeBytes).toBe(44 + 5_000 * 640);
  });

  it('to an overloaded store fails as unavailable', async () => {
    const { callId } = await recordedHere(100);
    stored.server.answerWith((request, response) => {
      request.resume();
      response.writeHead(503).end('<Error><Code>SlowDown</Code><Message>later</Message></Error>');
    });
    expect(isStoreUnavailable(await failureOf(upload(callId)))).toBe(true);
  });

  it('can be aborted', async () => {
    const { callId } = await recordedHere(100);
    const stopping = new AbortController();
    stored.server.answerWith(() => stopping.abort());
    expect(await failureOf(upload(callId, stopping.signal))).toBeInstanceOf(Error);
  });

  it('can be repeated with the same result', async () => {
    const { callId, key } = await recordedHere(100);
    expect([await upload(callId), await upload(callId)]).toEqual(['stored', 'stored']);
    expect((await stored.store.open(key))?.sizeBytes).toBe(44 + 100 * 640);
  });

  it('reports a recording that another worker has uploaded and deleted, or that has no sound', async () => {
    expect(await upload(newCallId())).toBe('gone');
    const callId = newCallId();
    // A call that rings: its file exists before its sound.
    const sink = stored.store.create(callId);
    const shard = join(stored.directory, callId.slice(-2));
    const names = () => readdir(shard).catch((): string[] => []);
    while (!(await names()).includes(`${callId}.wav`)) await new Promise(setImmediate);
    expect(await upload(callId)).toBe('unplayable');
    expect(await sink.close()).toBe(false);
  });

  it('sends its length and digest, and nothing that only Amazon supports', async () => {
    const { callId } = await recordedHere(100);
    const seen: unknown[] = [];
    stored.server.answerWith((request, response) => {
      const { headers } = request;
      seen.push(headers['content-length'], headers['transfer-encoding'], headers['x-amz-trailer']);
      seen.push(headers['content-md5'] === undefined ? 'no digest' : 'a digest');
      request.resume();
      request.on('end', () => response.writeHead(200).end());
    });
    await upload(callId);
    expect(seen).toEqual([String(44 + 100 * 640), undefined, undefined, 'a digest']);
  });
});

describe('reading', () => {
  it('from an unavailable store fails as unavailable', async () => {
    const { key } = await stored.record(100);
    await stored.server.stop();
    try {
      expect(await failureOf(stored.store.open(key))).toBeInstanceOf(RecordingStoreUnavailable);
    } finally {
      await stored.server.start();
    }
  });

  it('that is cut off fails: a part is never returned as the whole', async () => {
    const { key } = await stored.record(1_000);
    const recording = await stored.store.open(key);
    invariant(recording, 'the recording is there');
    stored.server.answerWith((_, response) => {
      response.writeHead(206, { 'Content-Length': '640044' });
      response.write(Buffer.alloc(1_000), () => response.socket?.destroy());
    });
    const read = buffer(recording.read({ start: 0, end: recording.sizeBytes - 1 }));
    expect(await failureOf(read)).toBeInstanceOf(Error);
  });

  it('of a recording that was replaced during the read fails, rather than mixing both', async () => {
    const { key } = await stored.record(1_000);
    const recording = await stored.store.open(key);
    invariant(recording, 'the recording is there');
    const knownByTag: (string | undefined)[] = [];
    stored.server.answerWith((request, response) => {
      knownByTag.push(request.headers['if-match']);
      response.writeHead(412).end('<Error><Code>PreconditionFailed</Code><Message>another</Message></Error>');
    });
    expect(await failureOf(buffer(recording.read({ start: 0, end: 6 })))).toMatchObject({ name: 'PreconditionFailed' });
    expect(knownByTag).toEqual([expect.stringMatching(/^"[0-9a-f]{32}"$/)]);
  });
});

it('lists the objects below the prefix, and no others', async () => {
  const client = createS3Client(s3SettingsFor(stored.server));
  const put = (Key: string) => client.send(new PutObjectCommand({ Bucket: stored.server.bucket, Key, Body: 'x' }));
  const [here, elsewhere] = [newCallId(), newCallId()];
  await put('outdial/notes.txt');
  await put(`elsewhere/${stored.store.keyOf(elsewhere)}`);
  await put(`outdial/${stored.store.keyOf(here)}`);
  client.destroy();
  const listed = await listing();
  expect(listed).toContain(here);
  expect(listed).not.toContain(elsewhere);
});

it('lists page after page, by the continuation token of each', async () => {
  const pages = [1, 2, 3].map(() => Array.from({ length: 1_000 }, newCallId));
  stored.server.answerWith((request, response) => {
    const asked = Number(new URL(request.url ?? '', stored.server.url).searchParams.get('continuation-token') ?? 0);
    const contents = (pages[asked] ?? [])
      .map((callId) => `<Contents><Key>outdial/${stored.store.keyOf(callId)}</Key><Size>1</Size></Contents>`)
      .join('');
    const next = asked === 2 ? '' : `<NextContinuationToken>${asked + 1}</NextContinuationToken>`;
    response.writeHead(200, { 'Content-Type': 'application/xml' });
    response.end(`<ListBucketResult><IsTruncated>${asked < 2}</IsTruncated>${next}${contents}</ListBucketResult>`);
  });
  expect(await listing()).toEqual(expect.arrayContaining(pages.flat()));
});

async function listing(): Promise<readonly string[]> {
  const callIds: string[] = [];
  for await (const batch of stored.inventory.list()) {
    expect(batch.length).toBeLessThanOrEqual(1_000);
    callIds.push(...batch);
  }
  return callIds;
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { invariant } from '@outdial/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openS3, s3SettingsFor, type StoredInS3 } from '../../test/stored.ts';
import { countingFrames, newCallId } from '../../test/test-store.ts';
import { createS3Client } from './s3-client.ts';
import { isStoreAway, RecordingStoreAway } from './s3-errors.ts';

let stored: StoredInS3;
beforeAll(async () => {
  stored = await openS3();
});
afterEach(() => stored.server.answerWith());
afterAll(() => stored.remove());

/** A finished recording that still lies on this machine. */
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
  it('with nobody listening fails as the store being away, and succeeds once it is back', async () => {
    const { callId, key } = await recordedHere(100);
    await stored.server.stop();
    try {
      expect(isStoreAway(await failureOf(upload(callId)))).toBe(true);
    } finally {
      await stored.server.start();
    }
    expect(await stored.store.open(key)).toBeNull();
    expect(await upload(callId)).toBe('stored');
    expect((await stored.store.open(key))?.sizeBytes).toBe(44 + 100 * 640);
  });

  it('that is cut off in the middle leaves nothing in the bucket, and all of it here', async () => {
    const { callId, key } = await recordedHere(5_000);
    let received = 0;
    stored.server.answerWith((request) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > 1_000_000) request.socket.destroy();
      });
    });
    expect(isStoreAway(await failureOf(upload(callId)))).toBe(true);
    stored.server.answerWith();
    expect(await stored.store.open(key)).toBeNull();
    expect(await upload(callId)).toBe('stored');
    expect((await stored.store.open(key))?.sizeBytes).toBe(44 + 5_000 * 640);
  });

  it('to an overloaded store fails as the store being away', async () => {
    const { callId } = await recordedHere(100);
    stored.server.answerWith((request, response) => {
      request.resume();
      response.writeHead(503).end('<Error><Code>SlowDown</Code><Message>later</Message></Error>');
    });
    expect(isStoreAway(await failureOf(upload(callId)))).toBe(true);
  });

  it('may be given up', async () => {
    const { callId } = await recordedHere(100);
    const stopping = new AbortController();
    stored.server.answerWith(() => stopping.abort());
    expect(await failureOf(upload(callId, stopping.signal))).toBeInstanceOf(Error);
  });

  it('may be repeated, and gives the same', async () => {
    const { callId, key } = await recordedHere(100);
    expect([await upload(callId), await upload(callId)]).toEqual(['stored', 'stored']);
    expect((await stored.store.open(key))?.sizeBytes).toBe(44 + 100 * 640);
  });

  it('of a recording that another worker has taken away, or that holds no sound, says so', async () => {
    expect(await upload(newCallId())).toBe('gone');
    const callId = newCallId();
    // A call that rings: its file is there before its sound.
    const sink = stored.store.create(callId);
    const shard = join(stored.directory, callId.slice(-2));
    const names = () => readdir(shard).catch((): string[] => []);
    while (!(await names()).includes(`${callId}.wav`)) await new Promise(setImmediate);
    expect(await upload(callId)).toBe('unplayable');
    expect(await sink.close()).toBe(false);
  });

  it('says how long it is and what its digest is: nothing in it that only Amazon understands', async () => {
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
  it('from a store that is away fails as that', async () => {
    const { key } = await stored.record(100);
    await stored.server.stop();
    try {
      expect(await failureOf(stored.store.open(key))).toBeInstanceOf(RecordingStoreAway);
    } finally {
      await stored.server.start();
    }
  });

  it('that is cut off fails: a part never passes for the whole', async () => {
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

  it('of a recording that was replaced meanwhile fails: it gives no mixture of two', async () => {
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

it('lists what the store has below the prefix, and leaves other objects out', async () => {
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

it('lists page after page, by the token that the store gives with each', async () => {
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

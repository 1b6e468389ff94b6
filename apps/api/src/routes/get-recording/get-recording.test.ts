import { createHash, randomUUID } from 'node:crypto';
import { callIdSchema, type CallId } from '@outdial/contracts';
import { privateS3, type PrivateS3 } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveCall } from '../../../test/drive.ts';
import { keepRecording } from '../../../test/keep-recording.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

interface Part {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

const inS3 = (server: PrivateS3) => ({
  OUTDIAL_RECORDINGS: 's3',
  OUTDIAL_S3_ENDPOINT: server.url,
  OUTDIAL_S3_BUCKET: server.bucket,
  OUTDIAL_S3_FORCE_PATH_STYLE: '1',
});

describe.each(['filesystem', 's3'])('with recordings in %s', (kind) => {
  let api: TestApi;
  let server: PrivateS3 | undefined;
  let account: TestAccount;
  let recorded: CallId;

  const newCallId = async () =>
    callIdSchema.parse(
      (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call().id,
    );

  beforeAll(async () => {
    server = kind === 's3' ? await privateS3() : undefined;
    // The SDK reads its credentials from the environment.
    Object.assign(process.env, server?.credentials);
    const settings = server ? inS3(server) : {};
    api = await openApi({ recordings: settings });
    account = await api.account();
    recorded = await newCallId();
    await driveCall(api.database, recorded, { recordingKey: await keepRecording(api.dataDir, settings, recorded) });
  });
  afterAll(async () => {
    await api.close();
    await server?.close();
  });

  async function read(range?: string, method = 'GET', more: Record<string, string> = {}): Promise<Part> {
    const response = await fetch(`${api.url}/api/v1/calls/${recorded}/recording`, {
      method,
      headers: { 'X-API-Key': account.key, ...(range === undefined ? {} : { Range: range }), ...more },
    });
    // A busy machine may answer 503 with a request to retry.
    if (response.status === 503) return read(range, method, more);
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  it('200 audio/wav: stereo, whole, and what HEAD announces', async () => {
    const { status, headers, bytes } = await read();
    expect([status, headers.get('content-type'), headers.get('accept-ranges')]).toEqual([200, 'audio/wav', 'bytes']);
    expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WAVE']);
    expect(bytes.readUInt16LE(22)).toBe(2);
    expect(bytes.length).toBeGreaterThan(96_000);
    const head = await read(undefined, 'HEAD');
    expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([
      200,
      0,
      String(bytes.length),
    ]);
  });

  it('is never cached: neither the whole, nor a part, nor the answer to HEAD', async () => {
    const answers = [await read(), await read('bytes=0-43'), await read(undefined, 'HEAD')];
    expect(answers.map(({ status, headers }) => [status, headers.get('cache-control')])).toEqual([
      [200, 'no-store'],
      [206, 'no-store'],
      [200, 'no-store'],
    ]);
  });

  describe('206', () => {
    it.each<[string, (size: number) => readonly [number, number]]>([
      ['bytes=0-43', () => [0, 43]],
      ['bytes=1000-', (size) => [1_000, size - 1]],
      ['bytes=-100', (size) => [size - 100, size - 1]],
      ['bytes=500-99999999', (size) => [500, size - 1]],
    ])('%s', async (range, expected) => {
      const whole = (await read()).bytes;
      const [start, end] = expected(whole.length);
      const part = await read(range);
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/${whole.length}`]);
      expect(part.bytes.equals(whole.subarray(start, end + 1))).toBe(true);
      expect(part.headers.get('content-length')).toBe(String(end - start + 1));
    });

    it('is returned for a matching If-Range, and the whole recording otherwise', async () => {
      const { headers, bytes } = await read();
      const known = headers.get('etag') ?? '';
      expect((await read('bytes=0-9', 'GET', { 'If-Range': known })).status).toBe(206);
      const other = await read('bytes=0-9', 'GET', { 'If-Range': `"${createHash('md5').digest('hex')}"` });
      expect([other.status, other.bytes.length]).toEqual([200, bytes.length]);
    });
  });

  it.each(['bytes=9999999-', 'bytes=-0'])('416 range_not_satisfiable for %s, with the size', async (range) => {
    const { bytes } = await read();
    const answer = await api.request('GET', `/calls/${recorded}/recording`, { key: account.key, headers: { range } });
    expect([answer.status, answer.error().code]).toEqual([416, 'range_not_satisfiable']);
    expect(answer.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
  });

  it.each(['bytes=abc', 'bytes=5-2', 'seconds=0-1', 'bytes=0-1,5-6', 'bytes=-'])(
    '200 for an unusable range: %s',
    async (range) => {
      expect((await read(range)).status).toBe(200);
    },
  );

  const codeOf = async (id: string, key = account.key) => {
    const answer = await api.request('GET', `/calls/${id}/recording`, { key });
    return [answer.status, answer.error().code];
  };

  describe('404', () => {
    it('recording_not_available before the end, without a recording, and when its file is gone', async () => {
      const open = await newCallId();
      const silent = await newCallId();
      await driveCall(api.database, silent);
      const lost = await newCallId();
      await driveCall(api.database, lost, { recordingKey: 'somewhere/else.wav' });
      for (const id of [open, silent, lost]) expect(await codeOf(id)).toEqual([404, 'recording_not_available']);
    });

    it('recording_not_available with a message while the recording is still being uploaded', async () => {
      const callId = await newCallId();
      await driveCall(api.database, callId, { recordingKey: 'ab/1.wav', uploadsRecordings: true });
      const answer = await api.request('GET', `/calls/${callId}/recording`, { key: account.key });
      expect([answer.status, answer.error().code]).toEqual([404, 'recording_not_available']);
      expect(answer.error().message).toContain('still being uploaded');
      const call = (await api.request('GET', `/outbound/calls/${callId}`, { key: account.key })).call();
      expect(call.recording_status).toBe('pending');
    });

    it('call_not_found for an unknown call and for another account’s', async () => {
      const stranger = await api.account();
      expect(await codeOf(randomUUID())).toEqual([404, 'call_not_found']);
      expect(await codeOf(recorded, stranger.key)).toEqual([404, 'call_not_found']);
    });
  });
});

describe('503', () => {
  it('service_unavailable while the recording store is away, and the recording once it is back', async () => {
    const server = await privateS3();
    Object.assign(process.env, server.credentials);
    const api = await openApi({ recordings: inS3(server) });
    try {
      const account = await api.account();
      const create = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
      const callId = callIdSchema.parse(create.call().id);
      await driveCall(api.database, callId, { recordingKey: await keepRecording(api.dataDir, inS3(server), callId) });
      const read = (once: boolean) => api.request('GET', `/calls/${callId}/recording`, { key: account.key, once });
      await server.stop();
      expect((await read(true)).status).toBe(503);
      await server.start();
      expect((await read(false)).status).toBe(200);
    } finally {
      await api.close();
      await server.close();
    }
  });
});

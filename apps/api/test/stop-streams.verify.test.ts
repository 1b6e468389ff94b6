import { callIdSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBeside } from './api-process.ts';
import { createClient } from './client.ts';
import { openDesk } from './desk.ts';
import { openEventStream, type EventStreamRequest } from './event-stream-client.ts';
import { openApi, type TestApi } from './open-api.ts';

let api: TestApi;
let timeline: EventStreamRequest;
let changes: EventStreamRequest;
beforeAll(async () => {
  api = await openApi();
  const account = await api.account();
  const created = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  const callId = callIdSchema.parse(created.call().id);
  timeline = { path: `/api/v1/outbound/calls/${callId}/events`, headers: { 'X-API-Key': account.key } };
  const { headers } = await openDesk(api, account.id, 'member');
  changes = { path: `/api/dashboard/accounts/${account.id}/changes`, headers };
});
afterAll(() => api.close());

it.each([
  ['timelines', () => timeline],
  ['changes', () => changes],
] as const)(
  'streams of %s end cleanly when their process stops, even with clients that do not read',
  async (_what, request) => {
    const stopping = startBeside(api);
    const url = await stopping.listening();
    await createClient(url).untilReady();
    const streams = await Promise.all(Array.from({ length: 6 }, () => openEventStream(url, request())));
    for (const stream of streams) await stream.until(({ length }) => length > 0);
    const [lazy, ...open] = streams;
    lazy?.stopReading();
    stopping.child.kill('SIGTERM');
    for (const stream of open) expect(await stream.ended).toEqual({ whole: true });
    expect(await stopping.ended).toEqual({ code: 0, stderr: '' });
    const log = stopping.lines.join('\n');
    expect(log).toContain('"msg":"stopped"');
    expect(log).not.toContain('"level":"error"');
  },
);

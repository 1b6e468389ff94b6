import { callIdSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectMcp } from '../../../test/mcp-client.ts';
import { claimCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi({
    limits: { OUTDIAL_KEY_STREAMS: '4', OUTDIAL_ACCOUNT_STREAMS: '4' },
    dashboard: { OUTDIAL_PUBLIC_URL: 'https://calls.example' },
  });
  account = await api.account({ capacity: 100 });
});
afterAll(() => api.close());

const ACCEPT = { Accept: 'application/json, text/event-stream' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const post = (headers: Readonly<Record<string, string>>, json: unknown = LIST) =>
  api.request('POST', '//mcp', { headers: { ...ACCEPT, ...headers }, json });

/** A call that does not end by itself. */
async function openCall(): Promise<string> {
  const { id } = (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call();
  await claimCall(api.database, callIdSchema.parse(id));
  return id;
}

it('a request without a valid key is answered 401 with a challenge', async () => {
  for (const headers of [{}, { 'X-API-Key': 'od_live_wrong' }, { Authorization: 'Bearer od_live_wrong' }]) {
    const answer = await post(headers);
    expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="outdial"']);
  }
});

it.each(['X-API-Key', 'Authorization'])('the key is read from %s', async (name) => {
  const value = name === 'Authorization' ? `Bearer ${account.key}` : account.key;
  const answer = await post({ [name]: value });
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  expect(answer.text).toContain('"place_call"');
  expect(answer.headers.get('X-Request-Id')).toMatch(/.{8}/);
});

it('a page of another origin is refused before its key is read, and our own is not', async () => {
  for (const origin of ['https://evil.example', 'null', new URL(api.url).origin]) {
    const refused = await post({ Origin: origin, 'X-API-Key': account.key });
    expect([refused.status, refused.json]).toMatchObject([403, { error: { code: 'origin_not_allowed' } }]);
  }
  expect((await post({ Origin: 'https://calls.example', 'X-API-Key': account.key })).status).toBe(200);
});

it.each(['GET', 'DELETE', 'PUT'])('%s is answered 405', async (method) => {
  const answer = await api.request(method, '//mcp', { headers: { 'X-API-Key': account.key } });
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST']);
});

it.each([
  ['a batch', [LIST], 400],
  ['a body that is no message', { hello: true }, 400],
  ['a body that is too large', { ...LIST, params: { filler: 'x'.repeat(70_000) } }, 413],
])('%s is rejected', async (_what, json, status) => {
  expect((await post({ 'X-API-Key': account.key }, json)).status).toBe(status);
});

it('a notification is accepted without an answer', async () => {
  const answer = await post({ 'X-API-Key': account.key }, { jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([answer.status, answer.text]).toEqual([202, '']);
});

it('the requests of a tool have the id of the request that asked for it', async () => {
  const mcp = await connectMcp(api.url, { 'X-API-Key': account.key, 'X-Request-Id': 'asked-by-a-model' }, '2026-07-28');
  await mcp.result('get_account');
  const logged = () => api.logLines.filter((line) => line.includes('"asked-by-a-model"'));
  await expect.poll(logged).toContainEqual(expect.stringContaining('"path":"/api/v1/account"'));
  await expect.poll(logged).toContainEqual(expect.stringContaining('"path":"/mcp"'));
});

it('an account that holds all of its streams leaves those of its neighbor, and a client that leaves frees its own', async () => {
  const gone = new AbortController();
  const callId = await openCall();
  const mcp = await connectMcp(api.url, { 'X-API-Key': account.key }, '2026-07-28');
  let reportProgress: (() => void) | undefined;
  const started = [0, 1].map(() => {
    const progress = new Promise<void>((resolve) => (reportProgress = resolve));
    const onprogress = reportProgress ?? (() => undefined);
    const waiting = mcp.call('wait_for_call', { call_id: callId }, { signal: gone.signal, onprogress });
    return { progress, waiting: waiting.catch(() => 'given up') };
  });
  // Each wait holds two places: its own answer, and the timeline that it follows.
  await Promise.all(started.map(({ progress }) => progress));
  const full = await post({ 'X-API-Key': account.key });
  expect([full.status, full.json]).toMatchObject([429, { error: { code: 'rate_limited' } }]);
  const neighbor = await connectMcp(api.url, { 'X-API-Key': (await api.account()).key }, '2026-07-28');
  expect(await neighbor.result('list_calls')).toMatchObject({ calls: [] });
  gone.abort();
  expect(await Promise.all(started.map(({ waiting }) => waiting))).toEqual(['given up', 'given up']);
  // All four: the tools no longer follow the timeline either.
  await expect.poll(() => openTimelines(callId, 4)).toEqual([200, 200, 200, 200]);
});

async function openTimelines(callId: string, count: number): Promise<readonly number[]> {
  const headers = { 'X-API-Key': account.key, Accept: 'text/event-stream' };
  const url = `${api.url}/api/v1/outbound/calls/${callId}/events`;
  const opened = await Promise.all(Array.from({ length: count }, () => fetch(url, { headers })));
  for (const { body } of opened) await body?.cancel();
  return opened.map(({ status }) => status);
}

it('a process that stops lets a waiting tool answer with the call so far', async () => {
  const callId = await openCall();
  const stopping = await api.startAnother();
  await stopping.untilReady();
  const mcp = await connectMcp(stopping.url, { 'X-API-Key': account.key }, '2026-07-28');
  let reportProgress: (() => void) | undefined;
  const progress = new Promise<void>((resolve) => (reportProgress = resolve));
  const waiting = mcp.result('wait_for_call', { call_id: callId }, { onprogress: () => reportProgress?.() });
  await progress;
  const stopped = stopping.stop();
  expect(await waiting).toMatchObject({ timed_out: true, call: { id: callId } });
  await stopped;
});

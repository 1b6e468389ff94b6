import { randomUUID } from 'node:crypto';
import { callEventListSchema, callIdSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await openApi();
  account = await api.account();
});
afterAll(() => api.close());

const newCallId = async () =>
  callIdSchema.parse(
    (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call().id,
  );

it.each(['application/json', '*/*'])('200: the timeline in order, for Accept: %s', async (accept) => {
  const id = await newCallId();
  await driveCall(api.database, id);
  const answer = await api.request('GET', `/outbound/calls/${id}/events`, { key: account.key, headers: { accept } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  const { events } = callEventListSchema.parse(answer.json);
  expect(events.map((event) => event.type)).toEqual(['queued', 'dialing', 'ringing', 'in_progress', 'ended']);
  expect(events.map((event) => event.at)).toEqual(events.map((event) => event.at).toSorted());
  expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
});

it('400 for a malformed id, 404 for an unknown or another account’s call', async () => {
  const stranger = await api.account();
  const id = await newCallId();
  const events = (of: string, key: string) => api.request('GET', `/outbound/calls/${of}/events`, { key });
  expect((await events('x', account.key)).error().code).toBe('invalid_request');
  for (const answer of [await events(randomUUID(), account.key), await events(id, stranger.key)]) {
    expect([answer.status, answer.error().code]).toEqual([404, 'call_not_found']);
  }
});

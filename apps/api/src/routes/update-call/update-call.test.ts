import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let id: string;

beforeAll(async () => {
  api = await openApi();
  account = await api.account();
  id = (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call().id;
});
afterAll(() => api.close());

const update = (json: unknown, of = id, key = account.key) =>
  api.request('PATCH', `/outbound/calls/${of}`, { key, json });

it('200: the note is stored, and can be removed', async () => {
  const written = await update({ review_note: 'Asked to be called again 📞' });
  expect([written.status, written.call().review_note]).toEqual([200, 'Asked to be called again 📞']);
  expect((await api.request('GET', `/outbound/calls/${id}`, { key: account.key })).call()).toEqual(written.call());
  expect((await update({ review_note: null })).call().review_note).toBeNull();
});

it.each<[string, unknown, string]>([
  ['no note', {}, 'review_note'],
  ['a note that is not a string', { review_note: 7 }, 'review_note'],
  ['a note beyond its length', { review_note: 'x'.repeat(4_001) }, 'review_note'],
  ['a note that cannot be stored', { review_note: 'a\u0000' }, 'review_note'],
  ['any other field', { review_note: 'x', status: 'ended' }, 'status'],
])('400 for %s', async (_what, json, param) => {
  const answer = await update(json);
  expect([answer.status, answer.error().param]).toEqual([400, param]);
});

it('413 and 415 as for every body', async () => {
  expect((await update({ review_note: 'x'.repeat(70_000) })).error().code).toBe('body_too_large');
  const headers = { 'Content-Type': 'text/plain' };
  const answer = await api.request('PATCH', `/outbound/calls/${id}`, { key: account.key, body: '{}', headers });
  expect([answer.status, answer.error().code]).toEqual([415, 'unsupported_media_type']);
});

it('404 for an unknown call and for the call of another account, which does not change', async () => {
  const stranger = await api.account();
  for (const answer of [
    await update({ review_note: 'x' }, randomUUID()),
    await update({ review_note: 'x' }, id, stranger.key),
  ]) {
    expect([answer.status, answer.error().code]).toEqual([404, 'call_not_found']);
  }
  expect((await api.request('GET', `/outbound/calls/${id}`, { key: account.key })).call().review_note).toBeNull();
});

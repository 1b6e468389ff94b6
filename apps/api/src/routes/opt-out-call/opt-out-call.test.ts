import { randomUUID } from 'node:crypto';
import { callEventListSchema, callIdSchema, suppressionEnvelopeSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDesk } from '../../../test/desk.ts';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account();
});
afterAll(() => api.close());

const newCallId = async () =>
  callIdSchema.parse(
    (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call().id,
  );
const optOut = (id: string, json: unknown = {}, key = account.key) =>
  api.request('POST', `/outbound/calls/${id}/opt-out`, { key, json });
const entryOf = async (...of: Parameters<typeof optOut>) =>
  suppressionEnvelopeSchema.parse((await optOut(...of)).json).suppression;

it('200 for a call that has ended: an opt-out with the call, once in its timeline', async () => {
  const id = await newCallId();
  await driveCall(api.database, id);
  const entry = await entryOf(id, { reason: 'Never call me again.' });
  expect(entry).toMatchObject({
    number: account.newCall.to_number,
    kind: 'opt_out',
    source: 'api',
    reason: 'Never call me again.',
    call_id: id,
  });
  expect(await entryOf(id, { reason: 'again' })).toEqual(entry);
  const answer = await api.request('GET', `/outbound/calls/${id}/events`, { key: account.key });
  const events = callEventListSchema.parse(answer.json).events.filter(({ type }) => type === 'opted_out');
  expect(events).toMatchObject([{ data: { evidence: 'request', note: 'Never call me again.' } }]);
});

it('200 by a member of the account; the next call to the number is refused', async () => {
  const id = await newCallId();
  const member = await openDesk(api, account.id, 'member');
  const answer = await member.request('POST', `outbound/calls/${id}/opt-out`, { json: {} });
  expect(suppressionEnvelopeSchema.parse(answer.json).suppression).toMatchObject({ source: 'dashboard', reason: null });
  const refused = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  expect([refused.status, refused.error().code]).toEqual([403, 'suppressed']);
});

it('404 for an unknown or another account’s call, whose callee is on no list; 400 for a wrong body', async () => {
  const id = await newCallId();
  const stranger = await api.account();
  for (const answer of [await optOut(randomUUID()), await optOut(id, {}, stranger.key)]) {
    expect([answer.status, answer.error().code]).toEqual([404, 'call_not_found']);
  }
  expect((await optOut(id, { reason: 'x'.repeat(501) })).error().param).toBe('reason');
  for (const { newCall, key } of [account, stranger]) {
    expect((await api.request('POST', '/outbound/calls', { key, json: newCall })).status).toBe(201);
  }
});

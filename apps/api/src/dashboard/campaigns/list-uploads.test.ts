import { randomUUID } from 'node:crypto';
import { campaignEnvelopeSchema, campaignUploadListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';
import type { SignedIn } from '../../../test/sign-in.ts';

let api: TestApi;
let account: TestAccount;
let member: SignedIn;
let id: string;
beforeAll(async () => {
  api = await openApi();
  account = await api.account();
  member = await api.signIn({ memberships: [{ accountId: account.id, role: 'member' }] });
  const json = { name: 'Autumn', agent_id: account.agentId };
  id = campaignEnvelopeSchema.parse((await api.request('POST', '/campaigns', { key: account.key, json })).json).campaign
    .id;
});
afterAll(() => api.close());

const list = (campaignId: string, query = '') =>
  api.request('GET', `//api/dashboard/accounts/${account.id}/campaigns/${campaignId}/uploads${query}`, {
    headers: member.headers,
  });
const listed = async (query = '') => campaignUploadListSchema.parse((await list(id, query)).json);

it('lists what came to a campaign, newest first and page by page', async () => {
  expect(await listed()).toEqual({ uploads: [], next_before: null });
  const csv = { key: account.key, body: 'phone\n+12025550101\nnone\n', headers: { 'Content-Type': 'text/csv' } };
  await api.request('POST', `/campaigns/${id}/contacts?file_name=a.csv`, csv);
  for (let at = 0; at < 20; at += 1) {
    const json = { contacts: [{ to_number: `+12025551${String(at).padStart(3, '0')}` }] };
    await api.request('POST', `/campaigns/${id}/contacts`, { key: account.key, json });
  }
  const first = await listed();
  expect(first.uploads.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => 21 - at));
  const rest = await listed(`?before=${first.next_before ?? ''}`);
  expect(rest).toMatchObject({
    uploads: [{ number: 1, state: 'ready', file_name: 'a.csv', rows: 2, accepted: 1, invalid: 1 }],
    next_before: null,
  });
});

it('404 for an unknown campaign, 400 for an unknown place', async () => {
  expect((await list(randomUUID())).error().code).toBe('campaign_not_found');
  expect((await list(id, '?before=x')).error().code).toBe('invalid_request');
});

import { callIdSchema, callListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
/** In the order of their creation. */
const ids: string[] = [];

beforeAll(async () => {
  api = await openApi();
  account = await api.account({ capacity: 100 });
  for (let index = 0; index < 7; index += 1) {
    const json = { ...account.newCall, to_number: index % 2 ? '+12025550143' : '+12025550144' };
    ids.push((await api.request('POST', '/outbound/calls', { key: account.key, json })).call().id);
  }
  await driveCall(api.database, callIdSchema.parse(ids[0]));
  await api.request('POST', `/outbound/calls/${ids[1]}/end`, { key: account.key });
});
afterAll(() => api.close());

async function list(query: string, key = account.key) {
  const answer = await api.request('GET', `/outbound/calls${query}`, { key });
  expect(answer.status).toBe(200);
  return callListSchema.parse(answer.json);
}
const idsOf = async (query: string) => (await list(query)).calls.map((call) => call.id);

describe('200', () => {
  it('lists the newest first, each as GET returns it', async () => {
    const page = await list('');
    expect(page.calls.map((call) => call.id)).toEqual(ids.toReversed());
    expect([page.has_more, page.next_cursor]).toEqual([false, null]);
    const single = await api.request('GET', `/outbound/calls/${ids[0]}`, { key: account.key });
    expect(page.calls.at(-1)).toEqual(single.call());
  });

  it('pages through all calls without missing or repeating one while new ones are created', async () => {
    const seen: string[] = [];
    let query = '?limit=3';
    for (let page = await list(query); ; page = await list(query)) {
      seen.push(...page.calls.map((call) => call.id));
      expect(page.has_more).toBe(page.next_cursor !== null);
      if (page.next_cursor === null) break;
      query = `?limit=3&cursor=${page.next_cursor}`;
      const late = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
      await api.request('POST', `/outbound/calls/${late.call().id}/end`, { key: account.key });
    }
    expect(seen).toEqual(ids.toReversed());
  });

  it('filters by each field', async () => {
    const reversed = ids.toReversed();
    expect(await idsOf(`?ended_reason=callee_hangup`)).toEqual([ids[0]]);
    expect(await idsOf(`?status=queued`)).toEqual(reversed.slice(0, 5));
    expect(await idsOf(`?to_number=%2B12025550144&status=queued`)).toEqual([ids[6], ids[4], ids[2]]);
    expect(await idsOf(`?agent_id=${account.id}`)).toEqual([]);
    const third = (await list('?status=queued')).calls.find((call) => call.id === ids[2])?.created_at ?? '';
    const later = await idsOf(`?status=queued&created_after=${third}`);
    const earlier = await idsOf(`?created_before=${third}&status=ended&ended_reason=cancelled`);
    expect(later).not.toContain(ids[1]);
    expect(later).toContain(ids[3]);
    expect(earlier).toEqual([ids[1]]);
  });

  it('shows an account only its own calls', async () => {
    const stranger = await api.account();
    expect((await list('', stranger.key)).calls).toEqual([]);
  });
});

describe('400', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['status=done', 'status'],
    ['agent_id=x', 'agent_id'],
    ['to_number=12025550143', 'to_number'],
    ['ended_reason=bored', 'ended_reason'],
    ['created_after=yesterday', 'created_after'],
    ['stauts=queued', 'stauts'],
    ['status=queued&status=ended', 'status'],
    ['__proto__=1', '__proto__'],
    ['cursor=abc', 'cursor'],
    ['limit=1&limit=2&limit=3', 'limit'],
    ['=queued', 'query'],
    ['=&=', 'query'],
  ])('%s, naming it once', async (query, param) => {
    const answer = await api.request('GET', `/outbound/calls?${query}`, { key: account.key });
    expect([answer.status, answer.error().code, answer.error().param]).toEqual([400, 'invalid_request', param]);
    expect(answer.error().details).toEqual([{ param, message: expect.any(String) }]);
  });

  it('a tampered cursor, and the cursor of another account', async () => {
    const cursor = (await list('?limit=2')).next_cursor ?? '';
    const tampered = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`;
    const stranger = await api.account();
    for (const [text, key] of [
      [tampered, account.key],
      [cursor, stranger.key],
    ] as const) {
      const answer = await api.request('GET', `/outbound/calls?cursor=${text}`, { key });
      expect([answer.status, answer.error().param]).toEqual([400, 'cursor']);
    }
  });
});

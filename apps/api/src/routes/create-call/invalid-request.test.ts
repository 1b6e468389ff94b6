import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = await openApi();
  account = await api.account();
});
afterAll(() => api.close());

const create = (json: unknown, headers: Record<string, string> = {}, key = account.key) =>
  api.request('POST', '/outbound/calls', { key, json, headers });

describe('400', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['a number that is not E.164', { to_number: "+1'--" }, 'to_number'],
    ['emoji', { to_number: '📞' }, 'to_number'],
    ['a malformed agent id', { agent_id: 'agent-1' }, 'agent_id'],
    ['a field of another type', { from_number: 12025550143 }, 'from_number'],
    ['a negative duration', { max_duration_seconds: -60 }, 'max_duration_seconds'],
    ['a fraction of a second', { ring_timeout_seconds: 7.5 }, 'ring_timeout_seconds'],
    ['an unknown field', { to_numbr: '+12025550143' }, 'to_numbr'],
    ['a variable that is not a string', { variables: { amount: 3 } }, 'variables.amount'],
    ['an invalid variable name', { variables: { 'a b': 'x' } }, 'variables.a b'],
    ['metadata that is a list', { metadata: [] }, 'metadata'],
    ['metadata beyond 4 KiB', { metadata: { note: 'x'.repeat(4_096) } }, 'metadata'],
    ['text that cannot be stored', { metadata: { note: '\u0000' } }, 'metadata.note'],
    ['half a character', { variables: { name: '\ud83d' } }, 'variables.name'],
  ])('for %s, naming it', async (_what, fields, param) => {
    const answer = await create({ ...account.newCall, ...fields });
    expect(answer.status).toBe(400);
    const error = answer.error();
    expect(error).toMatchObject({ code: 'invalid_request', param, details: [{ param, message: expect.any(String) }] });
    expect(error.message).toContain(param);
  });

  it.each(['123456789012345678901234567890', '1e400', '0.1000000000000000055', '9007199254740993'])(
    'for a number that could not be returned unchanged, naming it: %s',
    async (digits) => {
      const body = `{"metadata":{"order":[{"id":${digits}}]},${JSON.stringify(account.newCall).slice(1)}`;
      const answer = await api.request('POST', '/outbound/calls', { key: account.key, body });
      expect(answer.status).toBe(400);
      expect(answer.error().details).toEqual([
        { param: 'metadata.order.0.id', message: expect.stringContaining('write it as a string') },
      ]);
    },
  );

  it('reports each wrong field once', async () => {
    const answer = await create({ ...account.newCall, ring_timeout_seconds: -7.5, max_duration_seconds: 1e99 });
    expect(answer.error().details).toEqual([
      { param: 'max_duration_seconds', message: 'must be a whole number of seconds from 5 to 7200' },
      { param: 'ring_timeout_seconds', message: 'must be a whole number of seconds from 5 to 120' },
    ]);
  });

  it('also names a field whose name is empty', async () => {
    expect((await create({ ...account.newCall, '': 1 })).error()).toMatchObject({
      param: '""',
      details: [{ param: '""', message: 'is not a known field: remove it or fix its name' }],
    });
  });

  it('reports each missing field as required', async () => {
    expect((await create({})).error().details).toEqual([
      { param: 'to_number', message: 'is required' },
      { param: 'agent_id', message: 'is required' },
    ]);
  });

  it('names the variable that the agent needs', async () => {
    const asking = await api.account({ firstMessage: 'Hello {{name}}, about {{ order }}.' });
    const refused = await create({ ...asking.newCall, variables: { order: '17' } }, {}, asking.key);
    expect(refused.error()).toMatchObject({ code: 'invalid_request', param: 'variables.name' });
    const accepted = await create({ ...asking.newCall, variables: { order: '17', name: 'Ada' } }, {}, asking.key);
    expect(accepted.status).toBe(201);
  });
});

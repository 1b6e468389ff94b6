import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  auditPageSchema,
  checkedCredentialSchema,
  credentialEnvelopeSchema,
  credentialListSchema,
  type CredentialBody,
} from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const CANARY = 'sk-canary-61b0e8d94c';
const NEW = { provider: 'openai', name: 'production', api_key: CANARY };
const PATH = '/provider-credentials';

/** Refuses every tunnel: no request leaves this machine. */
const asked: (string | undefined)[] = [];
let holdsTunnels = false;
const held = new Set<Duplex>();
const proxy = createServer().on('connect', (request, socket) => {
  asked.push(request.url);
  // A client that stops resets the connection.
  socket.on('error', () => undefined);
  if (!holdsTunnels) {
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  held.add(socket);
  proxy.emit('held');
});

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  api = await openApi({
    secretKey: randomBytes(32),
    egress: { OUTDIAL_EGRESS_PROXY: `http://127.0.0.1:${port}`, OUTDIAL_EGRESS_ALLOW: '127.0.0.0/8,10.20.0.0/16' },
    limits: { OUTDIAL_ACCOUNT_CREDENTIALS: '4', OUTDIAL_ACCOUNT_CHECKS_PER_MINUTE: '3' },
  });
});
beforeEach(async () => {
  account = await api.account({ scopes: ['outbound', 'manage'] });
});
afterAll(async () => {
  await api.close();
  for (const socket of held) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
});

const request = (method: string, path: string, json?: unknown, key = account.key) =>
  api.request(method, `${PATH}${path}`, { key, ...(json === undefined ? {} : { json }) });
async function create(changes: object = {}, key?: string): Promise<CredentialBody> {
  const input = { ...NEW, ...changes };
  const answer = await request('POST', '', input, key);
  // On a busy machine an answer may be late, and the client repeats a request that was carried out.
  const stored = answer.status === 409 ? (await list('?limit=100', key)).credentials : [];
  const found = stored.find(({ name }) => name === input.name);
  return found ?? credentialEnvelopeSchema.parse(answer.json).credential;
}
const list = async (query = '', key = account.key) =>
  credentialListSchema.parse((await request('GET', query, undefined, key)).json);

describe('a credential', () => {
  it('201 is saved and shown without its key', async () => {
    const credential = await create({ region: 'eu' });
    expect(credential).toEqual({
      id: expect.any(String),
      provider: 'openai',
      name: 'production',
      base_url: null,
      region: 'eu',
      shown_suffix: 'd94c',
      max_concurrent_calls: null,
      max_generations: null,
      starts_per_second: null,
      created_at: expect.any(String),
      rotated_at: expect.any(String),
      checked_at: null,
      check_result: null,
    });
    expect((await list()).credentials).toEqual([credential]);
  });

  it.each<readonly [object, string]>([
    [{ provider: 'acme' }, 'provider'],
    [{ name: ' ' }, 'name'],
    [{ api_key: '' }, 'api_key'],
    [{ api_key: 'two words' }, 'api_key'],
    [{ api_key: 'sk-1\r\nX-Other: 1' }, 'api_key'],
    [{ provider: 'openai_compatible' }, 'base_url'],
    [{ provider: 'azure' }, 'base_url'],
    [{ provider: 'azure', base_url: 'https://models.example.com' }, 'base_url'],
    [{ provider: 'azure', base_url: 'https://clinic.openai.azure.com.example.com' }, 'base_url'],
    [{ provider: 'azure', base_url: 'https://clinic.openai.azure.com/openai/v1' }, 'base_url'],
    [{ provider: 'azure', base_url: 'http://clinic.openai.azure.com' }, 'base_url'],
    [{ provider: 'xai', region: 'eu' }, 'region'],
    [{ region: 'moon' }, 'region'],
    [{ region: 'eu', base_url: 'https://models.example.com/v1' }, 'region'],
    [{ limits_group: 'mine' }, 'limits_group'],
    [{ max_concurrent_calls: 0 }, 'max_concurrent_calls'],
    [{ max_generations: 0 }, 'max_generations'],
    [{ starts_per_second: 1.5 }, 'starts_per_second'],
    ...[
      'models.example.com',
      'http://models.example.com/v1',
      'https://models.example.com/v1?key=1',
      'https://anna:secret@models.example.com/v1',
      'https://127.0.0.1/v1',
      'http://127.0.0.1:11434/v1',
      'https://10.20.0.7/v1',
      'https://2130706433/v1',
      'https://[::ffff:127.0.0.1]/v1',
      'https://169.254.169.254/latest',
      'https://localhost/v1',
      'https://ollama.internal/v1',
    ].map((url) => [{ provider: 'openai_compatible', base_url: url }, 'base_url'] as const),
  ])('400 with %j names %s, whatever the operator allows for itself', async (changes, param) => {
    const answer = await request('POST', '', { ...NEW, ...changes });
    expect([answer.status, answer.error().code, answer.error().param]).toEqual([400, 'invalid_request', param]);
    expect((await list()).credentials).toEqual([]);
  });

  it('413 and 415', async () => {
    const large = await request('POST', '', { ...NEW, api_key: 'x'.repeat(70_000) });
    expect([large.status, large.error().code]).toEqual([413, 'body_too_large']);
    const headers = { 'Content-Type': 'text/plain' };
    const text = await api.request('POST', PATH, { key: account.key, headers, body: JSON.stringify(NEW) });
    expect([text.status, text.error().code]).toEqual([415, 'unsupported_media_type']);
  });

  it('409 when the account has one with this name', async () => {
    await create();
    const answer = await request('POST', '', { ...NEW, provider: 'deepgram' });
    expect([answer.status, answer.error().code, answer.error().param]).toEqual([409, 'credential_exists', 'name']);
  });

  it('429 beyond the bound of the account; deleting one makes room', async () => {
    const made: CredentialBody[] = [];
    for (const name of ['a', 'b', 'c', 'd']) made.push(await create({ name }));
    const answer = await request('POST', '', NEW);
    const details = { scope: 'account', thing: 'provider_credentials', max: 4 };
    expect([answer.status, answer.error()]).toMatchObject([429, { code: 'rate_limited', details }]);
    expect((await request('DELETE', `/${made[0]?.id}`)).status).toBe(204);
    expect((await request('POST', '', NEW)).status).toBe(201);
  });

  it('200 has limits that are changed and restored, one without the other', async () => {
    const { id } = await create({ max_concurrent_calls: 8 });
    const update = async (changes: object) =>
      credentialEnvelopeSchema.parse((await request('PATCH', `/${id}`, changes)).json).credential;
    expect(await update({ starts_per_second: 5 })).toMatchObject({ max_concurrent_calls: 8, starts_per_second: 5 });
    expect(await update({ max_concurrent_calls: null })).toMatchObject({
      max_concurrent_calls: null,
      starts_per_second: 5,
    });
    expect((await list()).credentials).toMatchObject([{ id, max_concurrent_calls: null, starts_per_second: 5 }]);
  });

  it.each<readonly [object, string | null]>([
    [{}, null],
    [{ max_concurrent_calls: 0 }, 'max_concurrent_calls'],
    [{ starts_per_second: 100_001 }, 'starts_per_second'],
    [{ limits_group: 'project' }, 'limits_group'],
    [{ api_key: 'sk-other' }, 'api_key'],
  ])('400 with the changes %j names %s, and nothing changes', async (changes, param) => {
    const before = await create();
    const answer = await request('PATCH', `/${before.id}`, changes);
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
    if (param !== null) expect(answer.error().param).toBe(param);
    expect((await list()).credentials).toEqual([before]);
  });

  it('200 is rotated: its id stays, its suffix is that of the new key', async () => {
    const { id } = await create();
    const answer = await request('POST', `/${id}/rotate`, { api_key: 'sk-rotated-0123456789' });
    expect([answer.status, answer.json]).toMatchObject([200, { credential: { id, shown_suffix: '6789' } }]);
  });

  it('204 is deleted, and unknown from then on', async () => {
    const { id } = await create();
    expect((await request('DELETE', `/${id}`)).status).toBe(204);
    expect((await request('DELETE', `/${id}`)).error().code).toBe('credential_not_found');
    expect((await list()).credentials).toEqual([]);
  });

  it('404 is what another account’s looks like to every route, and nothing happens to it', async () => {
    const other = await api.account({ scopes: ['manage'] });
    const theirs = await create({}, other.key);
    for (const id of [theirs.id, randomUUID()]) {
      for (const [method, path, json] of [
        ['PATCH', `/${id}`, { max_concurrent_calls: 1 }],
        ['POST', `/${id}/rotate`, { api_key: 'stolen' }],
        ['POST', `/${id}/check`, undefined],
        ['DELETE', `/${id}`, undefined],
      ] as const) {
        const answer = await request(method, path, json);
        expect([answer.status, answer.error().code]).toEqual([404, 'credential_not_found']);
      }
    }
    expect((await list()).credentials).toEqual([]);
    expect((await list('', other.key)).credentials).toEqual([theirs]);
  });

  it('400 names an id that is none', async () => {
    const answer = await request('POST', '/x/check');
    expect([answer.status, answer.error().param]).toEqual([400, 'credential_id']);
  });
});

describe('a list', () => {
  it('has every credential once, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    expect([...first.credentials, ...second.credentials].map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c']);
    const other = await api.account({ scopes: ['manage'] });
    const answer = await request('GET', `?cursor=${first.next_cursor}`, undefined, other.key);
    expect([answer.status, answer.error().param]).toEqual([400, 'cursor']);
  });
});

describe('a check', () => {
  it('200 asks the provider, and is kept with the credential', async () => {
    const { id } = await create();
    asked.length = 0;
    const { check, credential } = checkedCredentialSchema.parse(
      (await request('POST', `/${id}/check?model=gpt-9`)).json,
    );
    expect([check.result, asked]).toEqual(['unreachable', ['api.openai.com:443']]);
    expect((await list()).credentials).toEqual([credential]);
    expect(credential).toMatchObject({ check_result: 'unreachable', checked_at: expect.any(String) });
  });

  it('503 ends at once when the process stops, and finds nothing', async () => {
    const { id } = await create();
    const other = await api.startAnother();
    await other.untilReady();
    holdsTunnels = true;
    const reached = once(proxy, 'held');
    const checking = other.request('POST', `${PATH}/${id}/check`, { key: account.key, once: true });
    await reached;
    const [answer] = await Promise.all([checking, other.stop()]);
    holdsTunnels = false;
    expect([answer.status, answer.error().code]).toEqual([503, 'service_unavailable']);
    expect((await list()).credentials).toMatchObject([{ id, check_result: null }]);
  });

  it('400 names a model that would change the path', async () => {
    const { id } = await create();
    const answer = await request('POST', `/${id}/check?model=${encodeURIComponent('../../admin')}`);
    expect([answer.status, answer.error().param]).toEqual([400, 'model']);
  });

  it('429 beyond the checks of a minute, also in a burst; another account goes on', async () => {
    const { id } = await create();
    // One more than two minutes allow: a new minute may begin during the burst.
    const answers = await Promise.all(Array.from({ length: 7 }, () => request('POST', `/${id}/check`)));
    const refused = answers.filter(({ status }) => status === 429);
    expect([4, 3, 2, 1]).toContain(refused.length);
    const details = { scope: 'account', thing: 'credential_checks', max: 3 };
    for (const answer of refused) expect(answer.error()).toMatchObject({ code: 'rate_limited', details });
    const other = await api.account({ scopes: ['manage'] });
    const theirs = await create({}, other.key);
    expect((await request('POST', `/${theirs.id}/check`, undefined, other.key)).status).toBe(200);
  });
});

describe('a key', () => {
  const ROUTES = [
    ['GET', ''],
    ['POST', ''],
    ['PATCH', `/${randomUUID()}`],
    ['POST', `/${randomUUID()}/rotate`],
    ['POST', `/${randomUUID()}/check`],
    ['DELETE', `/${randomUUID()}`],
  ] as const;

  it('403 without the scope manage may use none of these routes', async () => {
    const { key } = await api.account();
    for (const [method, path] of ROUTES) {
      const answer = await request(method, path, undefined, key);
      expect([answer.status, answer.error()]).toMatchObject([
        403,
        { code: 'scope_missing', details: { scope: 'manage' } },
      ]);
    }
  });

  it('403 with the scope manage alone may place and read no calls', async () => {
    const { key, newCall } = await api.account({ scopes: ['manage'] });
    for (const [method, path] of [
      ['POST', '/outbound/calls'],
      ['GET', '/outbound/calls'],
      ['GET', '/account'],
    ] as const) {
      const answer = await api.request(method, path, { key, ...(method === 'POST' ? { json: newCall } : {}) });
      expect([answer.status, answer.error()]).toMatchObject([
        403,
        { code: 'scope_missing', details: { scope: 'outbound' } },
      ]);
    }
    expect((await request('GET', '', undefined, key)).status).toBe(200);
  });
});

it('409 while the service has no key to seal with: reading and deleting still work', async () => {
  const without = await openApi();
  const { key } = await without.account({ scopes: ['manage'] });
  const answer = await without.request('POST', PATH, { key, json: NEW });
  expect([answer.status, answer.error().code]).toEqual([409, 'secret_key_missing']);
  expect((await without.request('GET', PATH, { key })).status).toBe(200);
  await without.close();
});

it('an owner does the same in the dashboard, and the audit names who did it', async () => {
  const owner = await openDesk(api, account.id);
  const made = await owner.request('POST', 'provider-credentials', { json: NEW });
  const { id } = credentialEnvelopeSchema.parse(made.json).credential;
  await request('POST', `/${id}/rotate`, { api_key: 'sk-rotated-0123456789' });
  expect((await owner.request('DELETE', `provider-credentials/${id}`)).status).toBe(204);
  const { entries } = auditPageSchema.parse((await owner.request('GET', 'audit?subject=credential')).json);
  expect(entries.map(({ action, actor }) => `${actor.kind} ${action}`)).toEqual([
    'user credential.remove',
    'key credential.rotate',
    'user credential.create',
  ]);
  const member = await openDesk(api, account.id, 'member');
  expect((await member.request('GET', 'provider-credentials')).error().code).toBe('owner_only');
});

it('no log line, answer or audit entry contains a key', async () => {
  const { id } = await create();
  const owner = await openDesk(api, account.id);
  const answers = await Promise.all([
    request('GET', ''),
    request('POST', '', NEW),
    request('POST', '', { ...NEW, provider: CANARY, extra: CANARY }),
    request('POST', '', { ...NEW, base_url: 'https://127.0.0.1' }),
    api.request('POST', PATH, {
      key: account.key,
      headers: { 'Content-Type': 'application/json' },
      body: `{"api_key":"${CANARY}"`,
    }),
    request('POST', `/${id}/rotate`, { api_key: CANARY }),
    request('POST', `/${id}/check`),
    owner.request('GET', 'audit'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 409, 400, 400, 400, 200, 200, 200]);
  for (const { text } of answers) expect(text).not.toContain('canary');
  expect(api.logLines.join('')).not.toContain('canary');
});

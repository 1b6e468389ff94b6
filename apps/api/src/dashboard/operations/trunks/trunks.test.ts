import { randomBytes } from 'node:crypto';
import { operatedTrunkListSchema, trunkNameSchema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { createTrunkDirectory, createTrunkTests } from '@outdial/persistence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestOptions } from '../../../../test/client.ts';
import { openApi, type TestApi } from '../../../../test/open-api.ts';
import type { SignedIn } from '../../../../test/sign-in.ts';

const secretKey = randomBytes(32);
const PASSWORD = 'the password of the carrier';
let api: TestApi;
let operator: SignedIn;
beforeAll(async () => {
  api = await openApi({ secretKey });
  operator = await api.signIn({ isOperator: true });
});
afterAll(() => api.close());

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  api.request(method, `//api/dashboard/operations/trunks${path}`, { ...options, headers: operator.headers });
const list = async () => operatedTrunkListSchema.parse((await ask('GET', '')).json);
const find = async (name: string) => (await list()).trunks.find((trunk) => trunk.name === name);
const NEEDED = { uri: 'sip:trunk.example', channels: 30, calls_per_second: 5 };
const CREDENTIALS = { username: 'alice', password: PASSWORD };

describe('a trunk', () => {
  it('seals its password: no response, log line or audit row has it, and workers can open it', async () => {
    const json = { name: 'main', ...NEEDED, credentials: CREDENTIALS, caller_prefixes: ['1202'] };
    const added = await ask('POST', '', { json });
    expect(added.status).toBe(204);
    const answer = await ask('GET', '');
    expect(await find('main')).toMatchObject({
      username: 'alice',
      enabled: true,
      transport: 'udp',
      codecs: ['PCMU', 'PCMA'],
      caller_prefixes: ['1202'],
      test: null,
    });
    const book = createTrunkDirectory(api.database, { clock: systemClock, secretKey, onError: () => undefined });
    const [trunk] = await book.all();
    expect(trunk?.credentials).toEqual(CREDENTIALS);

    const [row] = await api.database.side.$queryRaw<{ sealed: Uint8Array; audit: string }[]>`
      SELECT t.sealed_password AS sealed, (SELECT string_agg(e::text, ' ') FROM audit_entries e) AS audit
      FROM trunks t WHERE t.name = 'main'`;
    const sealed = Buffer.from(row?.sealed ?? []);
    expect(sealed.length).toBeGreaterThan(29);
    for (const text of [added.text, answer.text, api.logLines.join('\n'), row?.audit ?? '']) {
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toContain(sealed.toString('base64'));
      expect(text).not.toContain(sealed.toString('hex'));
    }
  });

  it('changes only the named fields, and keeps its password until a change removes it', async () => {
    await ask('POST', '', { json: { name: 'edited', ...NEEDED, credentials: CREDENTIALS, asserts_caller: true } });
    const json = { channels: 60, caller_prefixes: ['44'], outbound_proxy: 'sip:proxy.example' };
    expect((await ask('PATCH', '/edited', { json })).status).toBe(204);
    expect(await find('edited')).toMatchObject({
      ...json,
      username: 'alice',
      asserts_caller: true,
      calls_per_second: 5,
    });
    expect((await ask('PATCH', '/edited', { json: { credentials: null, outbound_proxy: null } })).status).toBe(204);
    expect(await find('edited')).toMatchObject({ username: null, outbound_proxy: null, channels: 60 });
    const actions = await api.database.side.$queryRaw<{ action: string; actor: string }[]>`
      SELECT action, actor FROM audit_entries WHERE subject_id = 'edited' ORDER BY id`;
    const actor = `user:${operator.userId}`;
    expect(actions).toEqual(['trunk.add', 'trunk.update', 'trunk.update'].map((action) => ({ action, actor })));
  });

  it('is disabled and enabled', async () => {
    await ask('POST', '', { json: { name: 'switched', ...NEEDED } });
    expect((await ask('PUT', '/switched/enabled', { json: { enabled: false } })).status).toBe(204);
    expect(await find('switched')).toMatchObject({ enabled: false });
    expect((await ask('PUT', '/switched/enabled', { json: { enabled: true } })).status).toBe(204);
    expect(await find('switched')).toMatchObject({ enabled: true });
  });

  it('shows the results of the workers’ test until the next test is requested', async () => {
    await ask('POST', '', { json: { name: 'tested', ...NEEDED } });
    expect((await ask('POST', '/tested/tests')).status).toBe(204);
    expect(await find('tested')).toMatchObject({ test: { requested_at: expect.any(String), results: [] } });
    const tests = createTrunkTests(api.database);
    const [due] = await tests.due('one');
    expect(due).toMatchObject({ trunk: 'tested' });
    if (due === undefined) return;
    await tests.save(due, { workerId: 'one', state: 'answered', detail: 'SIP 200', tookMs: 12 });
    expect(await tests.due('one')).toEqual([]);
    expect((await tests.due('two')).map(({ trunk }) => trunk)).toEqual(['tested']);
    expect((await find('tested'))?.test?.results).toEqual([
      { worker_id: 'one', state: 'answered', detail: 'SIP 200', took_ms: 12 },
    ]);
    await ask('POST', '/tested/tests');
    expect((await find('tested'))?.test?.results).toEqual([]);
  });
});

describe('rejected without a change', () => {
  it('409: a second trunk with the name', async () => {
    await ask('POST', '', { json: { name: 'twice', ...NEEDED } });
    const answer = await ask('POST', '', { json: { name: 'twice', ...NEEDED, channels: 1 } });
    expect([answer.status, answer.error().code, answer.error().param]).toEqual([409, 'trunk_exists', 'name']);
    expect(await find('twice')).toMatchObject({ channels: 30 });
  });

  it('404: no trunk with the name', async () => {
    const answers = [
      await ask('PATCH', '/none', { json: { channels: 1 } }),
      await ask('PUT', '/none/enabled', { json: { enabled: true } }),
      await ask('POST', '/none/tests'),
    ];
    expect(answers.map((answer) => answer.error().code)).toEqual(Array(3).fill('trunk_not_found'));
  });

  it.each([
    [{ uri: 'trunk.example' }, 'uri'],
    [{ uri: 'sip:alice@trunk.example' }, 'uri'],
    [{ channels: 0 }, 'channels'],
    [{ calls_per_second: 1.5 }, 'calls_per_second'],
    [{ transport: 'pigeon' }, 'transport'],
    [{ codecs: ['PCMU', 'PCMU'] }, 'codecs'],
    [{ codecs: [] }, 'codecs'],
    [{ caller_prefixes: ['+1'] }, 'caller_prefixes.0'],
    [{ credentials: { username: 'alice' } }, 'credentials.password'],
    [{ credentials: { username: 'alice', password: 'a\nb' } }, 'credentials.password'],
    [{ name: 'Bad Name' }, 'name'],
    [{ sealed_password: 'x' }, 'sealed_password'],
  ])('400: %j', async (wrong, param) => {
    const answer = await ask('POST', '', { json: { name: 'bad', ...NEEDED, ...wrong } });
    expect([answer.status, answer.error().param]).toEqual([400, param]);
    expect(await find('bad')).toBeUndefined();
  });
});

describe('without a secret key', () => {
  let bare: TestApi;
  beforeAll(async () => {
    bare = await openApi();
  });
  afterAll(() => bare.close());

  it('the API starts, adds trunks without a password, and names the setting that a password needs', async () => {
    const { headers } = await bare.signIn({ isOperator: true });
    const path = '//api/dashboard/operations/trunks';
    const json = { name: 'main', ...NEEDED };
    const refused = await bare.request('POST', path, { headers, json: { ...json, credentials: CREDENTIALS } });
    expect([refused.status, refused.error().code]).toEqual([409, 'secret_key_missing']);
    expect(refused.error().message).toContain('OUTDIAL_SECRET_KEY');
    expect((await bare.request('POST', path, { headers, json })).status).toBe(204);
    const changed = await bare.request('PATCH', `${path}/main`, {
      headers,
      json: { channels: 1, credentials: CREDENTIALS },
    });
    expect(changed.error().code).toBe('secret_key_missing');
    const found = operatedTrunkListSchema.parse((await bare.request('GET', path, { headers })).json);
    expect(found).toMatchObject({ can_set_passwords: false, trunks: [{ channels: 30, username: null }] });
    expect((await bare.admin.trunks.show(trunkNameSchema.parse('main'))).channels).toBe(30);
  });
});

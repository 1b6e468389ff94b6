import { randomUUID } from 'node:crypto';
import {
  agentEnvelopeSchema,
  agentListSchema,
  agentSettingsSchema,
  agentVersionEnvelopeSchema,
  agentVersionListSchema,
} from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  [account, other] = await Promise.all([
    api.account({ scopes: ['outbound', 'manage'] }),
    api.account({ scopes: ['outbound', 'manage'] }),
  ]);
});
afterAll(() => api.close());

const tool = (changes: object) => ({
  tools: [{ type: 'http', name: 'slots', description: 'Finds slots.', url: 'https://example.com', ...changes }],
});
const realtime = {
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind {{name}} of a visit.',
  model: { provider: 'openai', model: 'gpt-realtime' },
};
const request = (method: string, path: string, json?: object, key = account.key) =>
  api.request(method, path, { key, ...(json === undefined ? {} : { json }) });
const create = async () =>
  agentEnvelopeSchema.parse((await request('POST', '/agents', { settings: realtime })).json).agent;

it('201 and 200: a key creates an agent that a model conducts, and finds it in the list', async () => {
  const agent = await create();
  expect(agent).toMatchObject({
    name: 'Appointment',
    driver: 'realtime',
    version: 1,
    owned: true,
    settings: agentSettingsSchema.parse(realtime),
    required_variables: ['name'],
  });
  const { agents } = agentListSchema.parse((await request('GET', '/agents')).json);
  expect(agents.map(({ id, driver }) => [id, driver])).toEqual([
    [account.agentId, 'scripted'],
    [agent.id, 'realtime'],
  ]);
  expect((await request('GET', `/agents/${agent.id}`)).json).toEqual({ agent });
});

it('200: a version is read with its settings, and restored as a new version', async () => {
  const { id, settings } = await create();
  await request('PATCH', `/agents/${id}`, { settings: { ...realtime, instructions: 'Other.' }, base_version: 1 });
  const first = agentVersionEnvelopeSchema.parse((await request('GET', `/agents/${id}/versions/1`)).json).version;
  expect(first).toMatchObject({ version: 1, name: 'Appointment', saved_by: null, settings, problem: null });
  const restored = await request('PATCH', `/agents/${id}`, { settings: first.settings ?? {}, base_version: 2 });
  expect(agentEnvelopeSchema.parse(restored.json).agent).toMatchObject({ version: 3, settings });
  const { versions } = agentVersionListSchema.parse((await request('GET', `/agents/${id}/versions`)).json);
  expect(versions.map(({ version }) => version)).toEqual([3, 2, 1]);
});

it('404 agent_not_found for another account, for an unknown agent, and for an unknown version', async () => {
  const { id } = await create();
  for (const [path, key] of [
    [`/agents/${id}`, other.key],
    [`/agents/${id}/versions`, other.key],
    [`/agents/${id}/versions/1`, other.key],
    [`/agents/${randomUUID()}`, account.key],
    [`/agents/${id}/versions/2`, account.key],
  ] as const) {
    const answer = await request('GET', path, undefined, key);
    expect([path, answer.status, answer.error().code]).toEqual([path, 404, 'agent_not_found']);
  }
  const change = await request('PATCH', `/agents/${id}`, { settings: realtime, base_version: 1 }, other.key);
  expect([change.status, change.error().code]).toEqual([404, 'agent_not_found']);
});

it('409 version_conflict: a change of an earlier version changes nothing', async () => {
  const { id } = await create();
  await request('PATCH', `/agents/${id}`, { settings: realtime, base_version: 1 });
  const late = await request('PATCH', `/agents/${id}`, { settings: realtime, base_version: 1 });
  expect([late.status, late.error()]).toMatchObject([
    409,
    { code: 'version_conflict', param: 'base_version', details: { current_version: 2 } },
  ]);
});

it('400 names the path of each problem: a field, a tool’s address, a schema, a credential', async () => {
  for (const [param, changes] of [
    ['settings.driver', { driver: 'telepathy' }],
    ['settings.model.voice', { model: { ...realtime.model, voice: 'darth' } }],
    ['settings.instructions', { instructions: 'Hello {{name' }],
    ['settings.instrctions', { instrctions: 'x' }],
    ['settings.tools.0.url', tool({ url: 'https://127.0.0.1/' })],
    [
      'settings.tools.0.parameters.properties.a',
      tool({ parameters: { type: 'object', properties: { a: { type: 'b' } } } }),
    ],
    ['settings.model.credential', { model: { ...realtime.model, credential: 'nobody’s' } }],
  ] as const) {
    const answer = await request('POST', '/agents', { settings: { ...realtime, ...changes } });
    expect([answer.status, answer.error().param]).toEqual([400, param]);
  }
  const malformed = await request('GET', `/agents/${account.agentId}/versions/0`);
  expect([malformed.status, malformed.error().param]).toEqual([400, 'version']);
});

it('201: settings are accepted at their full length', async () => {
  const settings = {
    ...realtime,
    instructions: '語'.repeat(32_000),
    knowledge: [{ title: 'All', text: '語'.repeat(65_536) }],
  };
  expect((await request('POST', '/agents', { settings })).status).toBe(201);
});

it('403 scope_missing: a key for calls alone reads agents, and changes none', async () => {
  const reader = await api.account();
  expect((await request('GET', `/agents/${reader.agentId}`, undefined, reader.key)).status).toBe(200);
  const json = { settings: realtime, base_version: 1 };
  for (const answer of [
    await request('POST', '/agents', { settings: realtime }, reader.key),
    await request('PATCH', `/agents/${reader.agentId}`, json, reader.key),
  ]) {
    expect([answer.status, answer.error().code]).toEqual([403, 'scope_missing']);
  }
});

const seedCredential = (accountId: string | null, name: string) => api.database.side.$executeRaw`
    INSERT INTO provider_credentials (id, account_id, provider, name, sealed, shown_suffix)
    VALUES (${randomUUID()}::uuid, ${accountId}::uuid, 'openai', ${name}, '\\x00'::bytea, '')`;

it('201: settings name a credential of the account or of the operator, and never another account’s', async () => {
  const shared = `shared ${randomUUID()}`;
  await Promise.all([
    seedCredential(account.id, 'own'),
    seedCredential(null, shared),
    seedCredential(other.id, 'foreign'),
  ]);
  const statuses = [];
  for (const credential of ['own', shared, 'foreign']) {
    const settings = { ...realtime, model: { ...realtime.model, credential } };
    statuses.push((await request('POST', '/agents', { settings })).status);
  }
  expect(statuses).toEqual([201, 201, 400]);
});

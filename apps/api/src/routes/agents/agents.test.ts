import { randomUUID } from 'node:crypto';
import { agentEnvelopeSchema, agentListSchema, agentSettingsSchema, agentVersionListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let other: TestAccount;
let member: Desk;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  [account, other] = await Promise.all([api.account(), api.account()]);
  member = await openDesk(api, account.id, 'member');
});
afterAll(() => api.close());

const settings = agentSettingsSchema.parse({ name: 'Reminder', first_message: 'Hello {{ name }}, at {{time}}?' });
const create = async () =>
  agentEnvelopeSchema.parse((await member.request('POST', 'agents', { json: { settings } })).json).agent;
const page = async (query = '') => agentListSchema.parse((await member.request('GET', `agents${query}`)).json);
const list = async () => (await page()).agents;

it('201: creates an agent that can conduct calls at once', async () => {
  const answer = await member.request('POST', 'agents', { json: { settings } });
  expect(answer.status).toBe(201);
  const { agent } = agentEnvelopeSchema.parse(answer.json);
  expect(agent).toEqual({
    id: expect.any(String),
    name: 'Reminder',
    driver: 'scripted',
    version: 1,
    owned: true,
    settings,
    problem: null,
    required_variables: ['name', 'time'],
    created_at: expect.any(String),
  });
  const call = { ...account.newCall, agent_id: agent.id, variables: { name: 'Zoë', time: 'nine' } };
  expect((await member.request('POST', 'outbound/calls', { json: call })).call().agent_id).toBe(agent.id);
});

it('200: a change creates a new version; the list begins with the oldest agent', async () => {
  const agent = await create();
  const changed = await member.request('PATCH', `agents/${agent.id}`, {
    json: { settings: { ...settings, lines: ['a'] }, base_version: 1 },
  });
  expect(changed.status).toBe(200);
  const body = agentEnvelopeSchema.parse(changed.json).agent;
  expect([body.version, body.settings]).toMatchObject([2, { lines: ['a'] }]);
  expect((await member.request('GET', `agents/${agent.id}`)).json).toEqual({ agent: body });
  expect((await list()).map(({ id }) => id)).toEqual([account.agentId, agent.id]);
});

it('409 version_conflict: of two edits of one version the second changes nothing and receives the current version', async () => {
  const agent = await create();
  const save = (first_message: string, base_version: number) =>
    member.request('PATCH', `agents/${agent.id}`, { json: { settings: { ...settings, first_message }, base_version } });
  const [one, two] = await Promise.all([save('One.', 1), save('Two.', 1)]);
  expect(new Set([one.status, two.status])).toEqual(new Set([200, 409]));
  const [won, lost] = one.status === 200 ? [one, two] : [two, one];
  expect(lost.error()).toMatchObject({
    code: 'version_conflict',
    param: 'base_version',
    details: { current_version: 2 },
  });
  expect((await member.request('GET', `agents/${agent.id}`)).json).toEqual(won.json);
  expect((await save('Three.', 2)).status).toBe(200);
  const missing = await member.request('PATCH', `agents/${agent.id}`, { json: { settings } });
  expect([missing.status, missing.error().param]).toEqual([400, 'base_version']);
});

it('the versions of an agent are listed newest first, in pages, with who saved each and when', async () => {
  const agent = await create();
  await api.admin.agents.update({ agentId: agent.id, settings: { ...settings, name: 'Reminder 2' } });
  await member.request('PATCH', `agents/${agent.id}`, { json: { settings, base_version: 2 } });
  const page = async (query: string) =>
    agentVersionListSchema.parse((await member.request('GET', `agents/${agent.id}/versions${query}`)).json);
  const { versions, has_more: hasMore, next_cursor: next } = await page('?limit=2');
  expect(versions).toMatchObject([
    { version: 3, name: 'Reminder', saved_by: 'Sam' },
    // Customers do not see an operator's name.
    { version: 2, name: 'Reminder 2', saved_by: null },
  ]);
  expect([hasMore, next]).toEqual([true, '2']);
  expect(await page('?limit=2&cursor=2')).toMatchObject({
    versions: [{ version: 1 }],
    has_more: false,
    next_cursor: null,
  });
  for (const agentId of [other.agentId, randomUUID()])
    expect((await member.request('GET', `agents/${agentId}/versions`)).status).toBe(404);
  expect((await member.request('GET', `agents/${agent.id}/versions?limit=0`)).error().param).toBe('limit');
  expect((await member.request('GET', `agents/${agent.id}/versions?cursor=x`)).error().param).toBe('cursor');
});

it('a call names and keeps the version of its agent', async () => {
  const agent = await create();
  const save = (base_version: number) =>
    member.request('PATCH', `agents/${agent.id}`, { json: { settings, base_version } });
  await save(1);
  const json = { ...account.newCall, agent_id: agent.id, variables: { name: 'Zoë', time: 'nine' } };
  const placed = (await member.request('POST', 'outbound/calls', { json })).call();
  expect(placed.agent_version).toBe(2);
  await save(2);
  expect((await member.request('GET', `outbound/calls/${placed.id}`)).call().agent_version).toBe(2);
});

it('a granted agent is shown without its settings, and cannot be changed', async () => {
  await api.admin.agents.grant({ agentId: other.agentId, accountId: account.id });
  const shown = { id: other.agentId, owned: false, settings: null, problem: null, name: 'Agent' };
  const { settings: _, ...listed } = shown;
  expect(await list()).toContainEqual(expect.objectContaining({ ...listed, driver: 'scripted' }));
  expect((await member.request('GET', `agents/${other.agentId}`)).json).toMatchObject({ agent: shown });
  const answer = await member.request('PATCH', `agents/${other.agentId}`, { json: { settings, base_version: 1 } });
  expect([answer.status, answer.error().code]).toEqual([404, 'agent_not_found']);
  expect((await api.admin.agents.show(other.agentId)).version).toBe(1);
});

it('settings that are no longer valid are returned with their problem', async () => {
  const agent = await create();
  await api.database.side.$executeRaw`
    UPDATE agent_versions SET settings = settings || '{"voice": "gone"}' WHERE agent_id = ${agent.id}::uuid`;
  const answer = await member.request('GET', `agents/${agent.id}`);
  const { settings: none, problem, name } = agentEnvelopeSchema.parse(answer.json).agent;
  expect([none, problem, name]).toEqual([null, expect.stringContaining('voice'), agent.id]);
});

it('404 for another account’s agent and for an unknown one', async () => {
  for (const agentId of [other.agentId, randomUUID()]) {
    for (const method of ['GET', 'PATCH']) {
      const answer = await member.request(
        method,
        `agents/${agentId}`,
        method === 'PATCH' ? { json: { settings, base_version: 1 } } : {},
      );
      expect([answer.status, answer.error().code]).toEqual([404, 'agent_not_found']);
    }
  }
  expect((await list()).map(({ id }) => id)).toEqual([account.agentId]);
});

it('200: the list comes in pages, without settings', async () => {
  const agent = await create();
  const first = await page('?limit=1');
  expect([first.agents.map(({ id }) => id), first.has_more]).toEqual([[account.agentId], true]);
  const second = await page(`?limit=1&cursor=${first.next_cursor}`);
  expect(second).toMatchObject({ has_more: false, next_cursor: null });
  expect(second.agents).toEqual([
    expect.objectContaining({ id: agent.id, driver: 'scripted', required_variables: ['name', 'time'] }),
  ]);
  expect(second.agents[0]).not.toHaveProperty('settings');
  for (const query of ['?limit=0', '?limit=101', '?cursor=x', '?cursor=1_x', '?page=2']) {
    expect((await member.request('GET', `agents${query}`)).status).toBe(400);
  }
});

it('400 names what is wrong; 413 and 415', async () => {
  const agent = await create();
  for (const [method, path] of [
    ['POST', 'agents'],
    ['PATCH', `agents/${agent.id}`],
  ] as const) {
    const based = method === 'PATCH' ? { base_version: 1 } : {};
    const refused = await member.request(method, path, {
      json: { settings: { ...settings, lines: ['a', 'مرحبا'] }, ...based },
    });
    expect([refused.status, refused.error().param]).toEqual([400, 'settings.lines.1']);
    expect(refused.error().message).toContain('Latin letters and digits');
    const large = await member.request(method, path, {
      json: { settings: { ...settings, name: 'x'.repeat(600_000) } },
    });
    expect([large.status, large.error().code]).toEqual([413, 'body_too_large']);
    const headers = { 'Content-Type': 'text/plain' };
    const text = await member.request(method, path, { headers, body: JSON.stringify({ settings }) });
    expect([text.status, text.error().code]).toEqual([415, 'unsupported_media_type']);
  }
  const malformed = await member.request('GET', 'agents/x');
  expect([malformed.status, malformed.error().param]).toEqual([400, 'agent_id']);
});

it('400 invalid_request names a name that is invisible or changes the writing direction', async () => {
  for (const name of ['\u200B\u3164', 'Anna\u202E']) {
    const answer = await member.request('POST', 'agents', { json: { settings: { ...settings, name } } });
    expect([answer.status, answer.error().param]).toEqual([400, 'settings.name']);
  }
});

it('an agent whose name is no longer valid is still shown', async () => {
  const agent = await create();
  await api.database.side.$executeRaw`
    UPDATE agent_versions SET settings = jsonb_set(settings, '{name}', ${JSON.stringify('\u202EAnna')}::jsonb)
    WHERE agent_id = ${agent.id}::uuid`;
  const answer = await member.request('GET', `agents/${agent.id}`);
  expect(agentEnvelopeSchema.parse(answer.json).agent).toMatchObject({ name: '\u202EAnna', problem: null });
});

it('texts return unchanged', async () => {
  const hostile = '<script>alert(1)</script> \' "; DROP TABLE agents; --';
  const json = { settings: { ...settings, name: hostile, first_message: `${hostile} \u202E` } };
  const { agent } = agentEnvelopeSchema.parse((await member.request('POST', 'agents', { json })).json);
  expect([agent.name, agent.settings?.first_message]).toEqual([hostile, `${hostile} \u202E`]);
});

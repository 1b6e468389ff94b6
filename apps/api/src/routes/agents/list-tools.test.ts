import { randomBytes } from 'node:crypto';
import { agentEnvelopeSchema } from '@outdial/contracts';
import {
  FREE_SLOTS,
  startHostileServer,
  startMcpServer,
  type McpServerOptions,
  type Mischief,
} from '@outdial/tool-sources/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi({
    secretKey: randomBytes(32),
    egress: { OUTDIAL_EGRESS_ALLOW: '127.0.0.1/32' },
    limits: { OUTDIAL_ACCOUNT_CHECKS_PER_MINUTE: '6' },
  });
});
beforeEach(async () => {
  account = await api.account({ scopes: ['outbound', 'manage'] });
});
afterAll(() => api.close());

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
async function serve(options?: McpServerOptions) {
  const server = await startMcpServer(options);
  closers.push(() => server.close());
  return server;
}
async function misbehaving(mischief: Mischief) {
  const server = await startHostileServer('everything', mischief);
  closers.push(() => server.close());
  return server;
}

const settingsAt = (url: string, changes: object = {}) => ({
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind people of a visit.',
  model: { provider: 'openai', model: 'gpt-realtime' },
  tools: [{ type: 'mcp', name: 'crm', url, timeout_ms: 5_000, ...changes }],
});
const request = (method: string, path: string, json?: object, key = account.key) =>
  api.request(method, path, { key, ...(json === undefined ? {} : { json }) });
const create = (settings: object, key?: string) => request('POST', '/agents', { settings }, key);

function listedOf(json: unknown) {
  const { settings } = agentEnvelopeSchema.parse(json).agent;
  if (settings === null || settings.driver === 'scripted') return [];
  return settings.tools.flatMap((tool) => (tool.type === 'mcp' ? (tool.listed?.tools ?? []) : []));
}

it('200: an agent is saved while its MCP server is down, with what that listed before, unless its source is another', async () => {
  const server = await startMcpServer();
  const created = await create(settingsAt(server.url));
  const { id } = agentEnvelopeSchema.parse(created.json).agent;
  await server.close();
  const change = (settings: object) => request('PATCH', `/agents/${id}`, { settings, base_version: 1 });
  const saved = await change({ ...settingsAt(server.url), instructions: 'You remind people of two visits.' });
  expect(saved.status).toBe(200);
  expect(listedOf(saved.json)).toEqual(listedOf(created.json));
  const moved = await change(settingsAt(server.url, { headers: { 'x-region': 'eu' } }));
  expect([moved.status, JSON.stringify(moved.json)]).toEqual([400, expect.stringContaining('settings.tools.0.url')]);
  expect((await create(settingsAt(server.url))).status).toBe(400);
});

it('201 and 200: an agent has the tools of its MCP server as of the day that it was saved', async () => {
  await request('PUT', '/secrets/CRM_TOKEN', { value: 'canary-4711' });
  const server = await serve();
  const settings = settingsAt(server.url, { headers: { Authorization: 'Bearer {{secret.CRM_TOKEN}}' } });
  const created = await create(settings);
  expect(created.status).toBe(201);
  expect(listedOf(created.json).map(({ name }) => name)).toEqual(['free_slots']);
  expect(JSON.stringify(created.json)).not.toContain('canary');
  expect(server.received.every(({ headers }) => headers.authorization === 'Bearer canary-4711')).toBe(true);

  server.tools = [FREE_SLOTS, { ...FREE_SLOTS, name: 'book_visit' }];
  const { agent } = agentEnvelopeSchema.parse(created.json);
  const again = await request('GET', `/agents/${agent.id}`);
  expect(listedOf(again.json).map(({ name }) => name)).toEqual(['free_slots']);
  const saved = await request('PATCH', `/agents/${agent.id}`, { settings: agent.settings, base_version: 1 });
  expect(saved.status).toBe(200);
  expect(listedOf(saved.json).map(({ name }) => name)).toEqual(['free_slots', 'book_visit']);
});

it('400: an agent is refused at its path when the server is away, and nothing is saved', async () => {
  const away = await misbehaving({ kind: 'status', status: 503 });
  const refused = await create(settingsAt(away.url));
  expect([refused.status, refused.error()]).toMatchObject([
    400,
    { code: 'invalid_request', param: 'settings.tools.0.url', details: [{ message: expect.stringContaining('503') }] },
  ]);
  const { json } = await request('GET', '/agents');
  expect(json).toMatchObject({ agents: [{ id: account.agentId }] });
});

it('400: no server is asked while anything else is wrong', async () => {
  const server = await serve();
  const wrong = [
    settingsAt(server.url, { headers: { 'X-Key': '{{secret.NOPE}}' } }),
    settingsAt(server.url, { headers: { Host: 'other' } }),
    { ...settingsAt(server.url), model: { provider: 'openai', model: 'gpt-realtime', credential: 'nope' } },
    settingsAt('http://10.0.0.1/mcp'),
  ];
  const answers = await Promise.all(wrong.map((settings) => create(settings)));
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  expect(server.received).toEqual([]);
});

it('429: an account whose servers hang waits for two at a time, and delays no other account', async () => {
  const hanging = await misbehaving({ kind: 'hangs' });
  const settings = settingsAt(hanging.url, { timeout_ms: 7_000 });
  const troubled = [create(settings), create(settings)];
  await expect.poll(() => hanging.received.length).toBe(2);
  const third = await create(settings);
  expect([third.status, third.error()]).toMatchObject([429, { details: { thing: 'tool_listings', max: 2 } }]);

  const neighbor = await api.account({ scopes: ['manage'] });
  const server = await serve();
  expect((await create(settingsAt(server.url), neighbor.key)).status).toBe(201);
  await hanging.close();
  for (const answer of await Promise.all(troubled)) expect(answer.status).toBe(400);
});

it('429: an account asks only so many servers per minute', async () => {
  const server = await serve({ tools: [] });
  const statuses: number[] = [];
  for (let nth = 0; nth < 7; nth += 1) statuses.push((await create(settingsAt(server.url))).status);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429]);
});

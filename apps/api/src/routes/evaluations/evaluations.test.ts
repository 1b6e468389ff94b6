import { randomUUID } from 'node:crypto';
import {
  agentEnvelopeSchema,
  EVALUATION_LIMITS,
  evaluationEnvelopeSchema,
  evaluationListSchema,
  micros,
  type EvaluationBody,
} from '@outdial/contracts';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let redis: Redis;
const price = (unit: 'input_text_token' | 'output_text_token') => ({
  component: 'llm' as const,
  provider: 'openai' as const,
  model: 'gpt-5-mini',
  unit,
  priceMicrosPerMillion: micros(10_000_000),
  estimateMicrosPerMinute: micros(100_000),
});
beforeAll(async () => {
  api = await openApi();
  redis = new Redis(api.stores.redisUrl);
  await api.database.side.$executeRaw`
    INSERT INTO provider_credentials (id, account_id, provider, name, sealed, shown_suffix)
    VALUES (${randomUUID()}::uuid, NULL, 'openai', 'shared', '\\x00'::bytea, '')`;
  await api.admin.modelRates.import({
    currency: 'USD',
    rates: [price('input_text_token'), price('output_text_token')],
  });
});
afterAll(async () => {
  redis.disconnect();
  await api.close();
});

const LLM = { provider: 'openai', model: 'gpt-5-mini' };
const TOOL = { type: 'http', name: 'free_slots', description: 'Finds slots.', url: 'https://example.com/slots' };
const CHAIN = {
  driver: 'cascade',
  name: 'Chain',
  instructions: 'You remind {{name}} of a visit.',
  stt: { provider: 'deepgram' },
  llm: LLM,
  tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
  tools: [TOOL],
  analysis: { success: { criteria: '{{name}} agrees.' }, llm: LLM },
};
const scenario = (more: object = {}) => ({
  name: 'Agrees',
  persona: { kind: 'scripted', lines: ['Yes.'] },
  variables: { name: 'Zoë' },
  ...more,
});

const newAccount = (balance = '50.00') => api.account({ scopes: ['outbound', 'manage'], balance });
const request = ({ key }: TestAccount, method: string, path: string, json?: object, headers?: Record<string, string>) =>
  api.request(method, path, { key, ...(json === undefined ? {} : { json }), ...(headers ? { headers } : {}) });

async function newAgent(account: TestAccount, settings: object = CHAIN): Promise<string> {
  return agentEnvelopeSchema.parse((await request(account, 'POST', '/agents', { settings })).json).agent.id;
}
const begin = (account: TestAccount, agentId: string, json: object, headers?: Record<string, string>) =>
  request(account, 'POST', `/agents/${agentId}/evaluations`, json, headers);
async function begun(account: TestAccount, agentId: string, json: object): Promise<EvaluationBody> {
  const answer = await begin(account, agentId, json);
  expect([answer.status, answer.json]).toMatchObject([201, {}]);
  return evaluationEnvelopeSchema.parse(answer.json).evaluation;
}
const end = (evaluationId: string) => api.database.side.$executeRaw`
  UPDATE evaluation_runs SET ended_at = clock_timestamp(), verdict = 'passed'
  WHERE evaluation_id = ${evaluationId}::uuid AND ended_at IS NULL`;

it('201: an evaluation waits with its scenarios, and its first conversations are queued', async () => {
  const account = await newAccount();
  const agentId = await newAgent(account);
  const scenarios = ['a', 'b', 'c'].map((name) => scenario({ name }));
  const made = await begun(account, agentId, { scenarios });
  expect(made).toMatchObject({ agent_version: 1, status: 'waiting', verdict: null, cost: 0, llm: LLM });
  expect(made.counts).toEqual({ scenarios: 3, passed: 0, failed: 0, errored: 0 });
  expect(made.runs.map(({ status, scenario: { name, max_turns: turns } }) => [status, name, turns])).toEqual([
    ['waiting', 'a', 10],
    ['waiting', 'b', 10],
    ['waiting', 'c', 10],
  ]);
  const rows = await api.database.side.evaluationRun.findMany({
    where: { evaluationId: made.id },
    orderBy: { position: 'asc' },
  });
  const queued = await Promise.all(rows.map(({ id }) => redis.exists(`{outdial-queue}:evaluations:${id}`)));
  expect(queued).toEqual([1, 1, 0]);
  // Of the agent and of the judge. Nothing is held before a conversation begins.
  expect(rows.map(({ needs }) => needs)).toMatchObject([
    [LLM, LLM],
    [LLM, LLM],
    [LLM, LLM],
  ]);
  expect((await api.admin.wallets.show(account.id)).heldMicros).toBe(0n);
  expect((await request(account, 'GET', `/agents/${agentId}/evaluations/${made.id}`)).json).toEqual({
    evaluation: made,
  });
});

it('201: the same Idempotency-Key accepts an evaluation once, and refuses another one', async () => {
  const account = await newAccount();
  const agentId = await newAgent(account);
  const headers = { 'Idempotency-Key': `suite ${randomUUID()}` };
  const json = { scenarios: [scenario()] };
  const [first, again] = await Promise.all([
    begin(account, agentId, json, headers),
    begin(account, agentId, json, headers),
  ]);
  const ids = [first, again].map((answer) => evaluationEnvelopeSchema.parse(answer.json).evaluation.id);
  expect(new Set(ids).size).toBe(1);
  const replayed = [first, again].map((answer) => answer.headers.get('idempotency-replayed'));
  expect(replayed.filter((header) => header === 'true')).toHaveLength(1);
  const other = await begin(account, agentId, { scenarios: [scenario({ max_turns: 3 })] }, headers);
  expect([other.status, other.error().code, other.error().param]).toEqual([
    422,
    'idempotency_key_reused',
    'Idempotency-Key',
  ]);
});

it('201: without scenarios, those that are saved with the agent are used', async () => {
  const account = await newAccount();
  const agentId = await newAgent(account);
  const none = await begin(account, agentId, {});
  expect(none.error()).toMatchObject({ code: 'invalid_request', param: 'scenarios' });
  const saved = await request(account, 'PUT', `/agents/${agentId}/scenarios`, {
    scenarios: [scenario({ name: 'Saved' })],
  });
  expect(saved.status).toBe(200);
  expect((await request(account, 'GET', `/agents/${agentId}/scenarios`)).json).toEqual(saved.json);
  expect((await begun(account, agentId, {})).runs.map(({ scenario: { name } }) => name)).toEqual(['Saved']);
});

it.each([
  ['scenarios', { scenarios: [] }],
  ['scenarios.1.name', { scenarios: [scenario(), scenario()] }],
  ['scenarios.0.persona.lines', { scenarios: [scenario({ persona: { kind: 'scripted' } })] }],
  ['scenarios.0.persona.prompt', { scenarios: [scenario({ persona: { kind: 'model', prompt: ' ' } })] }],
  ['scenarios.0.variables.name', { scenarios: [scenario({ variables: {} })] }],
  ['scenarios.0.tool_results.send_sms', { scenarios: [scenario({ tool_results: { send_sms: 'ok' } })] }],
  ['scenarios.0.max_turns', { scenarios: [scenario({ max_turns: 31 })] }],
  ['scenarios.0.criteria.0.passes_from', { scenarios: [scenario({ criteria: [{ criteria: 'x', passes_from: 3 }] })] }],
  ['llm.provider', { scenarios: [scenario()], llm: { provider: 'anthropic', model: 'claude-haiku-4-5' } }],
  ['version', { scenarios: [scenario()], version: 0 }],
])('400: the error names %s', async (param, json) => {
  const account = await newAccount();
  const answer = await begin(account, await newAgent(account), json);
  expect([answer.status, answer.error()]).toMatchObject([400, { code: 'invalid_request', param }]);
  expect(await api.database.side.evaluation.count({ where: { accountId: account.id } })).toBe(0);
});

it('400: an agent without an analysis needs the model that judges, and criteria', async () => {
  const account = await newAccount();
  const { analysis: _, ...plain } = CHAIN;
  const agentId = await newAgent(account, plain);
  expect((await begin(account, agentId, { scenarios: [scenario()] })).error()).toMatchObject({
    param: 'scenarios.0.criteria',
  });
  const judged = scenario({ criteria: [{ criteria: 'It is polite.' }] });
  expect((await begin(account, agentId, { scenarios: [judged] })).error()).toMatchObject({ param: 'llm' });
  expect((await begin(account, agentId, { scenarios: [judged], llm: LLM })).status).toBe(201);
});

it('422: a scripted agent, and a persona whose model has no credential', async () => {
  const account = await newAccount();
  const scripted = await newAgent(account, { driver: 'scripted', name: 'Script', first_message: 'Hello.' });
  expect((await begin(account, scripted, { scenarios: [scenario()] })).error().code).toBe('evaluation_not_possible');
  const persona = { kind: 'model', prompt: 'You agree.', llm: { provider: 'anthropic', model: 'claude-haiku-4-5' } };
  const answer = await begin(account, await newAgent(account), { scenarios: [scenario({ persona })] });
  expect(answer.error()).toMatchObject({
    code: 'provider_not_configured',
    details: { provider: 'anthropic', path: 'scenarios.0.persona.llm' },
  });
});

it('402: an account that cannot pay for one conversation begins none', async () => {
  const account = await newAccount('0.50');
  const answer = await begin(account, await newAgent(account), { scenarios: [scenario()] });
  expect([answer.status, answer.error().code]).toEqual([402, 'insufficient_funds']);
});

it('429: an account has three open evaluations, and so many conversations a day; a neighbor begins all the same', async () => {
  const [account, neighbor] = [await newAccount(), await newAccount()];
  const agentId = await newAgent(account);
  const json = { scenarios: [scenario()] };
  const open: EvaluationBody[] = [];
  for (let nth = 0; nth < EVALUATION_LIMITS.open; nth += 1) open.push(await begun(account, agentId, json));
  const refused = await begin(account, agentId, json);
  expect([refused.status, refused.error()]).toMatchObject([
    429,
    { code: 'rate_limited', details: { thing: 'open_evaluations' } },
  ]);
  expect((await begin(neighbor, await newAgent(neighbor), json)).status).toBe(201);
  for (const { id } of open) await end(id);
  await api.database.side.$executeRaw`
    INSERT INTO evaluation_runs (id, evaluation_id, account_id, position, scenario, driver, needs, rates, hold_micros,
      reservation_id, verdict, ended_at)
    SELECT gen_random_uuid(), r.evaluation_id, r.account_id, n, r.scenario, r.driver, r.needs, r.rates, 0, gen_random_uuid(),
      'passed', now()
    FROM evaluation_runs r, generate_series(1, ${EVALUATION_LIMITS.runsPerDay}::int) n
    WHERE r.evaluation_id = ${open[0]?.id}::uuid`;
  const over = await begin(account, agentId, json);
  expect([over.status, over.error()]).toMatchObject([429, { details: { thing: 'evaluation_runs' } }]);
});

it('202: a cancellation ends what waits; it is over once, and lists have it', async () => {
  const account = await newAccount();
  const agentId = await newAgent(account);
  const older = await begun(account, agentId, { scenarios: [scenario()] });
  const { id } = await begun(account, agentId, { scenarios: [scenario()] });
  for (let nth = 0; nth < 2; nth += 1) {
    const answer = await request(account, 'POST', `/agents/${agentId}/evaluations/${id}/cancel`);
    expect([answer.status, answer.json]).toMatchObject([
      202,
      { evaluation: { status: 'cancelled', verdict: 'errored' } },
    ]);
  }
  const page = async (query: string) =>
    evaluationListSchema.parse((await request(account, 'GET', `/agents/${agentId}/evaluations?${query}`)).json);
  const first = await page('limit=1');
  expect([first.evaluations.map((one) => one.id), first.has_more]).toEqual([[id], true]);
  const second = await page(`limit=1&cursor=${first.next_cursor}`);
  expect([second.evaluations.map((one) => one.id), second.has_more]).toEqual([[older.id], false]);
});

it('404: another account sees neither evaluations nor scenarios', async () => {
  const [account, stranger] = [await newAccount(), await newAccount()];
  const agentId = await newAgent(account);
  const { id } = await begun(account, agentId, { scenarios: [scenario()] });
  for (const [method, path, json] of [
    ['GET', `/agents/${agentId}/evaluations/${id}`],
    ['POST', `/agents/${agentId}/evaluations/${id}/cancel`],
    ['GET', `/agents/${agentId}/evaluations`],
    ['GET', `/agents/${agentId}/scenarios`],
    ['PUT', `/agents/${agentId}/scenarios`, { scenarios: [] }],
    ['POST', `/agents/${agentId}/evaluations`, { scenarios: [scenario()] }],
  ] as const) {
    expect((await request(stranger, method, path, json)).status).toBe(404);
  }
  expect((await request(account, 'GET', `/agents/${agentId}/evaluations/${id}`)).json).toMatchObject({
    evaluation: { status: 'waiting' },
  });
});

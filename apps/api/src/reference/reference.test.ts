import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { callIdSchema, ERROR_CODES, WEBHOOK_TYPES } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { driveCall } from '../../test/drive.ts';
import { openApi, type TestApi } from '../../test/open-api.ts';
import type { TestAccount } from '../../test/seeds.ts';
import { apiDocument } from '../documentation.ts';
import { statusOf } from '../http/error-response.ts';
import { EXAMPLES } from './examples.ts';
import { exampleWebhook, schemaOfWebhook } from './webhooks.ts';

const mediaSchema = z.looseObject({ schema: z.looseObject({}).optional(), example: z.unknown().optional() });
const operationSchema = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), mediaSchema).optional() })),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({}),
});

let api: TestApi;
let account: TestAccount;
let text: string;
let document: z.output<typeof documentSchema>;
beforeAll(async () => {
  api = await openApi();
  account = await api.account({ scopes: ['outbound', 'manage'] });
  text = (await api.request('GET', '//api/v1/openapi.json')).text;
  document = documentSchema.parse(JSON.parse(text));
});
afterAll(() => api.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
const pathWithIds = (path: string) => `/${path.replaceAll(/\{\w+\}/g, randomUUID())}`;

const needsKey = ({ security }: { readonly security?: readonly unknown[] | undefined }) => security?.length !== 0;

it('is a valid OpenAPI 3.1 document, readable without a key', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(text));
  expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1']);
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

it('is the document that the written reference is generated from', () => {
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(apiDocument)));
});

it('is the document that the client’s types are generated from', async () => {
  const written = await readFile(new URL('../../../../packages/sdk/openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(written), 'run npm run docs:reference').toEqual(JSON.parse(text));
});

it('has every route with its methods, and no others', async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const allowed = Object.keys(methods).map((method) => method.toUpperCase());
    const rejected = ['DELETE', 'PATCH', 'PUT'].find((method) => !allowed.includes(method));
    invariant(rejected, `${path} has a method that it rejects`);
    const answer = await api.request(rejected, pathWithIds(path));
    if (allowed.includes('GET')) allowed.push('HEAD');
    expect({ path, status: answer.status, allow: answer.headers.get('allow') }).toEqual({
      path,
      status: 405,
      allow: allowed.toSorted().join(', '),
    });
  }
  for (const { path, method, operation } of operations()) {
    const { status } = await api.request(method, pathWithIds(path));
    expect({ path, method, asksForKey: status === 401 }).toEqual({
      path,
      method,
      asksForKey: needsKey(operation),
    });
  }
  expect(operations().filter(({ operation }) => needsKey(operation))).toHaveLength(84);
});

it('lists every error code with its status', () => {
  for (const code of ERROR_CODES) expect(text).toContain(`| ${statusOf(code)} | \`${code}\` |`);
  for (const { operation } of operations()) {
    if (!needsKey(operation)) continue;
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '429', '500', '503']),
    );
  }
});

it('has valid examples', () => {
  expect(EXAMPLES.size).toBe(79);
  for (const [schema, example] of EXAMPLES) expect(schema.safeParse(example).error).toBeUndefined();
});

it('has every webhook, with a valid example', () => {
  const { webhooks } = z.looseObject({ webhooks: z.record(z.string(), z.unknown()) }).parse(document);
  expect(Object.keys(webhooks)).toEqual([...WEBHOOK_TYPES]);
  for (const type of WEBHOOK_TYPES) {
    expect(schemaOfWebhook(type).safeParse(exampleWebhook(type)).error).toBeUndefined();
  }
});

/** The violations that the document's schema finds in an answer. */
function violationsOf(path: string, method: string, answer: { readonly status: number; readonly json: unknown }) {
  const content = document.paths[path]?.[method]?.responses[answer.status]?.content;
  const schema = content?.['application/json']?.schema;
  invariant(schema, `the document has an answer ${answer.status} to ${method} ${path}`);
  const ajv = new Ajv2020({ strict: false, formats: fullFormats });
  const validate = ajv.compile({ ...schema, components: document.components });
  return validate(answer.json) ? [] : validate.errors;
}

describe('answers match the document', () => {
  it('for every route and its rejections', async () => {
    const { key, newCall } = account;
    const calls = '/api/v1/outbound/calls';
    const created = await api.request('POST', '/outbound/calls', { key, json: newCall });
    const id = callIdSchema.parse(created.call().id);
    await driveCall(api.database, id);
    const queued = (await api.request('POST', '/outbound/calls', { key, json: newCall })).call().id;
    const ask = (method: string, path: string, json?: unknown, by: string | undefined = key) =>
      api.request(method, path, { ...(by === '' ? {} : { key: by }), ...(json === undefined ? {} : { json }) });
    const agent = `/agents/${account.agentId}`;
    const settings = { name: 'Reminder', first_message: 'Hello.' };
    const kinds = [
      [calls, 'post', created],
      [calls, 'post', await ask('POST', '/outbound/calls', { ...newCall, to_nubmer: 1 })],
      [calls, 'post', await ask('POST', '/outbound/calls', { ...newCall, to_number: '+49301234567' })],
      [calls, 'post', await ask('POST', '/outbound/calls', newCall, '')],
      [calls, 'get', await ask('GET', '/outbound/calls')],
      [`${calls}/{call_id}`, 'get', await ask('GET', `/outbound/calls/${id}`)],
      [`${calls}/{call_id}`, 'get', await ask('GET', `/outbound/calls/${randomUUID()}`)],
      [`${calls}/{call_id}`, 'patch', await ask('PATCH', `/outbound/calls/${id}`, { review_note: 'Good.' })],
      [`${calls}/{call_id}/end`, 'post', await ask('POST', `/outbound/calls/${id}/end`)],
      [`${calls}/{call_id}/end`, 'post', await ask('POST', `/outbound/calls/${queued}/end`)],
      [`${calls}/{call_id}/events`, 'get', await ask('GET', `/outbound/calls/${id}/events`)],
      ['/api/v1/calls/{call_id}/recording', 'get', await ask('GET', `/calls/${id}/recording`)],
      ['/api/v1/account', 'get', await ask('GET', '/account')],
      ['/api/v1/account/ledger', 'get', await ask('GET', '/account/ledger')],
      ['/api/v1/models', 'get', await ask('GET', '/models')],
      ['/api/v1/phone-numbers', 'get', await ask('GET', '/phone-numbers')],
      ['/api/v1/api-keys', 'get', await ask('GET', '/api-keys')],
      ['/api/v1/api-keys', 'post', await ask('POST', '/api-keys', { name: 'A', expires_at: null })],
      ['/api/v1/api-keys/{key_id}/revoke', 'post', await ask('POST', `/api-keys/${randomUUID()}/revoke`)],
      ['/api/v1/agents', 'get', await ask('GET', '/agents')],
      ['/api/v1/agents', 'post', await ask('POST', '/agents', { settings: {} })],
      ['/api/v1/agents/{agent_id}', 'get', await ask('GET', agent)],
      ['/api/v1/agents/{agent_id}', 'patch', await ask('PATCH', agent, { settings, base_version: 1 })],
      ['/api/v1/agents/{agent_id}', 'patch', await ask('PATCH', agent, { settings, base_version: 1 })],
      ['/api/v1/agents/{agent_id}/versions', 'get', await ask('GET', `${agent}/versions`)],
      ['/api/v1/agents/{agent_id}/versions/{version}', 'get', await ask('GET', `${agent}/versions/1`)],
    ] as const;
    for (const [path, method, answer] of kinds) {
      expect({ path, method, violations: violationsOf(path, method, answer) }).toEqual({
        path,
        method,
        violations: [],
      });
    }
    expect(new Set(kinds.map(([, , { status }]) => status))).toEqual(new Set([200, 201, 202, 400, 401, 403, 404, 409]));
  });

  it('and a mismatch is detected', () => {
    const [path, method] = ['/api/v1/account', 'get'];
    expect(violationsOf(path, method, { status: 200, json: { account: { id: 'x' } } })).not.toEqual([]);
    const error = { code: 'call_not_found', message: '', request_id: '' };
    expect(violationsOf(path, method, { status: 401, json: { error } })).not.toEqual([]);
  });
});

describe('the page', () => {
  it('and all of its files come from this server alone', async () => {
    const page = await api.request('GET', '//docs/api');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...page.text.matchAll(/(?:src|href|action|data|poster|content)="([^"]*)"/g)].map(
      (match) => match[1],
    );
    const paths = links.filter((link) => link?.startsWith('/') && !link.startsWith('//'));
    expect(links.length - paths.length).toBe(1); // the viewport's
    expect(page.text).not.toMatch(/https?:|style=|<style|<script(?![^>]* src="\/docs\/api\/)/);
    for (const path of paths) {
      const file = await api.request('GET', `/${path}`);
      expect([path, file.status]).toEqual([path, 200]);
      if (!file.headers.get('content-type')?.startsWith('text/css')) continue;
      expect(file.text).not.toContain('@import');
      const targets = [...file.text.matchAll(/url\(\s*["']?([^"')]{0,5})/g)].map((match) => match[1]);
      expect(new Set(targets)).toEqual(new Set(['data:']));
    }
  });

  it('is the same with a trailing slash', async () => {
    const [page, other] = [await api.request('GET', '//docs/api'), await api.request('GET', '//docs/api/')];
    expect([other.status, other.text]).toEqual([200, page.text]);
    expect(other.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'));
  });

  it('enforces that by its only security policy', async () => {
    const page = await api.request('GET', '//docs/api');
    const policy = page.headers.get('content-security-policy') ?? '';
    // Two policies would be joined by a comma.
    expect(policy.split(', ')).toHaveLength(1);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    const other = await api.request('GET', '//docs/api/start.js');
    expect(other.headers.get('content-security-policy')).toContain("default-src 'none';frame-ancestors 'none'");
  });

  it('is compressed for a client that accepts compression', async () => {
    const plain = await api.request('GET', '//docs/api/swagger-ui.js', { headers: { 'Accept-Encoding': 'identity' } });
    const gzipped = await api.request('GET', '//docs/api/swagger-ui.js', { headers: { 'Accept-Encoding': 'gzip' } });
    expect([plain.headers.get('content-encoding'), gzipped.headers.get('content-encoding')]).toEqual([null, 'gzip']);
    expect(Number(gzipped.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')) / 2);
    expect(gzipped.text).toBe(plain.text);
    const head = await api.request('HEAD', '//docs/api/swagger-ui.js', { headers: { 'Accept-Encoding': 'identity' } });
    expect([head.text, head.headers.get('content-length')]).toEqual(['', plain.headers.get('content-length')]);
  });
});

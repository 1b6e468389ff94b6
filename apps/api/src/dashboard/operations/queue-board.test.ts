import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { CALL_QUEUE } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import type { RequestOptions } from '../../../test/client.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { SignedIn } from '../../../test/sign-in.ts';

const BOARD = '//api/dashboard/operations/queues';

let api: TestApi;
let operator: SignedIn;
let callId: string;
beforeAll(async () => {
  api = await openApi();
  operator = await api.signIn({ isOperator: true });
  const account = await api.account({ balance: '5.00' });
  callId = (await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall })).call().id;
  // The API adds the job after its response.
  while ((await jobsOf('waiting')).length === 0) await setImmediate();
});
afterAll(() => api.close());

const ask = (method: string, path: string, options: RequestOptions = {}) =>
  api.request(method, `${BOARD}${path}`, { ...options, headers: { ...operator.headers, ...options.headers } });

const queuesSchema = z.object({
  queues: z.array(z.object({ name: z.string(), readOnlyMode: z.boolean(), jobs: z.array(z.unknown()) })),
});
async function jobsOf(status: string) {
  const { queues } = queuesSchema.parse(
    (await ask('GET', `/api/queues?activeQueue=${CALL_QUEUE}&status=${status}`)).json,
  );
  return queues.flatMap(({ jobs }) => jobs);
}

describe('the page', () => {
  it('has its own policy, loads nothing from another host, and refuses foreign frames', async () => {
    const page = await ask('GET', '/');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('x-powered-by')).toBeNull();
    expect(page.text).toContain('<base href="/api/dashboard/operations/queues/" />');
    expect(page.text).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
    expect(page.text).not.toMatch(/<script(?![^>]*(?:src=|type="application\/json"))/);
  });

  it('serves its own files', async () => {
    const page = await ask('GET', '/');
    const files = [...page.text.matchAll(/(?:src|href)="(static\/[^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect((await ask('GET', `/${file}`)).status).toBe(200);
  });
});

it('has a request id in every response, like all routes', async () => {
  for (const path of ['/', '/api/queues', '/static/x']) {
    const answer = await ask('GET', path, { headers: { 'X-Request-Id': 'mine' } });
    expect([path, answer.headers.get('x-request-id')]).toEqual([path, 'mine']);
  }
  expect((await ask('GET', '/')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

it('lets no cache store jobs', async () => {
  for (const path of ['/', '/api/queues'])
    expect((await ask('GET', path)).headers.get('cache-control')).toBe('no-store');
});

it('shows only the call ids of jobs', async () => {
  const [job] = await jobsOf('waiting');
  expect(job).toMatchObject({ id: callId, data: { call_id: callId } });
});

/** Every route with an effect, from the board's own table. */
const routeSchema = z.object({ route: z.string(), method: z.union([z.string(), z.array(z.string())]) });
const require = createRequire(import.meta.url);
const boardMain = require.resolve('@bull-board/api');
const { appRoutes } = z
  .object({ appRoutes: z.object({ api: z.array(routeSchema) }) })
  .parse(require(boardMain.replace(/index\.js$/, 'routes.js')));
const MUTATIONS = appRoutes.api.flatMap(({ route, method }) =>
  [method].flat().flatMap((one) => (one === 'get' ? [] : [[one.toUpperCase(), route] as const])),
);

test('the board library has routes with effects', () => {
  expect(MUTATIONS.length).toBeGreaterThan(15);
});

test.each(MUTATIONS)('405 for %s %s: no operator runs, adds, changes or removes a job', async (method, route) => {
  const path = route
    .replace(':queueName', CALL_QUEUE)
    .replace(':jobId', callId)
    .replace(':queueStatus', 'waiting')
    .replaceAll(/:\w+/g, 'x');
  const answer = await ask(method, path, { json: {} });
  expect([answer.status, answer.error().code]).toEqual([405, 'method_not_allowed']);
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
  expect(await jobsOf('waiting')).toHaveLength(1);
});

test('405 for such a method under every other path of the board', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect((await ask(method, '/x')).status).toBe(405);
});

test('the board itself is read-only as well', async () => {
  const { queues } = queuesSchema.parse((await ask('GET', '/api/queues')).json);
  expect(queues.map(({ readOnlyMode }) => readOnlyMode)).toEqual([true]);
});

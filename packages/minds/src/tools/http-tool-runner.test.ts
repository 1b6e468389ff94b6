import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { HttpToolSettings } from '@outdial/contracts';
import { createEgressClient, envEgressAllow } from '@outdial/egress';
import { afterEach, describe, expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';
import { createHttpToolRunner } from './http-tool-runner.ts';
import type { ToolRun } from './tool-runner.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** A server that answers with the given statuses, one after the other, and the client to reach it. */
async function setUp(statuses: readonly number[], answer: (received: Received) => string = () => 'done') {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const got = { request, body: Buffer.concat(chunks).toString('utf8') };
      received.push(got);
      response.writeHead(statuses[received.length - 1] ?? 200).end(answer(got));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/slots`;
  const egress = createEgressClient({ allowed: envEgressAllow.parse('127.0.0.1'), proxy: null });
  closers.push(async () => {
    await egress.close();
    server.close();
  });
  const runner = createHttpToolRunner(egress);
  const run = (changes: Partial<HttpToolSettings> = {}, others: Partial<ToolRun<HttpToolSettings>> = {}) =>
    runner.run({
      accountId: 'account-1',
      callId: 'call-1',
      toolCallId: 'tool-1',
      tool: { ...TOOL, url, ...changes },
      arguments: { day: 'Tuesday', count: 2 },
      secrets: new Map([['KEY', 'canary-4711']]),
      signal: new AbortController().signal,
      ...others,
    });
  return { received, run };
}

const TOOL: HttpToolSettings = {
  type: 'http',
  name: 'free_slots',
  description: 'Finds free slots.',
  speak: { after: 'model' },
  method: 'POST',
  url: 'https://example.com',
  headers: { Authorization: 'Bearer {{secret.KEY}}' },
  parameters: { type: 'object', properties: {} },
  send: 'body',
  timeout_ms: 5_000,
  idempotent: false,
};

describe('a tool over HTTP', () => {
  test('sends the arguments once, with the secret and a key that names the call', async () => {
    const { received, run } = await setUp([200], () => '{"slots":[9]}');
    expect(await run()).toEqual({ kind: 'ok', output: 'HTTP 200\n{"slots":[9]}' });
    expect(received).toHaveLength(1);
    expect(received[0]?.body).toBe('{"day":"Tuesday","count":2}');
    expect(received[0]?.request.headers).toMatchObject({
      authorization: 'Bearer canary-4711',
      'idempotency-key': 'call-1/tool-1',
      'content-type': 'application/json',
    });
  });

  test('sends the arguments of a GET in its query', async () => {
    const { received, run } = await setUp([200]);
    await run({ method: 'GET', send: 'query' });
    expect(received[0]?.request.url).toBe('/slots?day=Tuesday&count=2');
  });

  test('gives the model every status as a result, cut at 16 KB', async () => {
    const { run } = await setUp([404], () => 'x'.repeat(20_000));
    const { kind, output } = await run();
    expect(kind).toBe('ok');
    expect(output.startsWith('HTTP 404 (cut)\n')).toBe(true);
    expect(output.length).toBeLessThanOrEqual(16 * 1_024 + 20);
  });

  test('never gives the model a secret that the server sends back', async () => {
    const { run } = await setUp([200], ({ request }) => String(request.headers.authorization));
    expect((await run()).output).toBe('HTTP 200\nBearer [secret]');
  });

  test('nor the rest of one that contains another, or the beginning of one where the answer is cut', async () => {
    const secrets = new Map([
      ['SHORT', 'canary'],
      ['KEY', 'unrelated'],
      ['LONG', 'canary-4711'],
    ]);
    const whole = await setUp([200], () => 'It is canary-4711.');
    expect((await whole.run({}, { secrets })).output).toBe('HTTP 200\nIt is [secret].');
    const cut = await setUp([200], () => `${'x'.repeat(16 * 1_024 - 9)}canary-4711`);
    expect((await cut.run({}, { secrets: new Map([['KEY', 'canary-4711']]) })).output).toBe(
      `HTTP 200 (cut)\n${'x'.repeat(16 * 1_024 - 9)}`,
    );
  });

  test('is repeated once after 503, where that does no harm', async () => {
    const put = await setUp([503, 200]);
    expect((await put.run({ method: 'PUT' })).output).toContain('HTTP 200');
    expect(new Set(put.received.map(({ request }) => request.headers['idempotency-key'])).size).toBe(1);
    const post = await setUp([503, 200]);
    expect((await post.run()).output).toContain('HTTP 503');
    const idempotent = await setUp([503, 503, 200]);
    expect((await idempotent.run({ idempotent: true })).output).toContain('HTTP 503');
    expect(idempotent.received).toHaveLength(2);
  });

  test('reports a failure to the model when the address is not allowed or a secret is missing', async () => {
    const { received, run } = await setUp([]);
    expect(await run({ url: 'http://10.0.0.1/' })).toMatchObject({ kind: 'failed' });
    expect(await run({ headers: { a: '{{secret.OTHER}}' } })).toMatchObject({ kind: 'failed' });
    expect(received).toEqual([]);
  });
});

test.each([
  ['{"day":"Tuesday"}', null],
  ['{"day":5}', 'day'],
  ['{', 'not JSON'],
  ['[]', 'not an object'],
  ['{}', 'day'],
])('arguments are checked against the tool’s schema: %s', (text, problem) => {
  const schema = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
  const checked = parseArguments(text, schema);
  if (problem === null) expect(checked).toEqual({ kind: 'valid', arguments: { day: 'Tuesday' } });
  else expect(checked).toEqual({ kind: 'invalid', message: expect.stringContaining(problem) });
});

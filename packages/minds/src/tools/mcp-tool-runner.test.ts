import { setMaxListeners } from 'node:events';
import type { ListedTool, McpSource } from '@outdial/contracts';
import { createEgressFetch, envEgressAllow } from '@outdial/egress';
import { systemClock } from '@outdial/kernel';
import {
  FREE_SLOTS,
  startHostileServer,
  startMcpServer,
  type McpServerOptions,
  type Mischief,
} from '@outdial/tool-sources/testing';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAccountBoundRunner } from './account-bound-runner.ts';
import { createMcpToolRunner } from './mcp-tool-runner.ts';
import type { McpTool, ToolRun } from './tool-runner.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const LISTED: ListedTool = {
  name: 'slots',
  server_name: 'free_slots',
  description: 'Finds free slots.',
  parameters: { ...FREE_SLOTS.inputSchema },
  idempotent: false,
};

function toolAt(url: string, changes: Partial<McpSource> = {}, listed: ListedTool = LISTED): McpTool {
  const source: McpSource = {
    type: 'mcp',
    name: 'crm',
    url,
    headers: { Authorization: 'Bearer {{secret.KEY}}' },
    timeout_ms: 5_000,
    speak: { after: 'model' },
    listed: { protocol_version: '2025-11-25', tools: [listed] },
    ...changes,
  };
  const { type, speak, timeout_ms } = source;
  const { name, description, parameters } = listed;
  return { type, name, description, parameters, speak, timeout_ms, source, listed };
}

function startRunner() {
  const egress = createEgressFetch({ allowed: envEgressAllow.parse('127.0.0.1'), proxy: null });
  closers.push(() => egress.close());
  const over = new AbortController();
  const mcp = createMcpToolRunner({ fetch: egress.fetch('allow_list'), clock: systemClock });
  const runOf = (tool: McpTool, others: Partial<ToolRun<McpTool>> = {}): ToolRun<McpTool> => ({
    accountId: 'account-1',
    callId: 'call-1',
    toolCallId: 'tool-1',
    tool,
    arguments: { day: 'Tuesday' },
    secrets: new Map([['KEY', 'canary-4711']]),
    signal: over.signal,
    ...others,
  });
  const run = (tool: McpTool, others: Partial<ToolRun<McpTool>> = {}) => mcp.run(runOf(tool, others));
  return { mcp, over, run, runOf };
}

async function serve(options: McpServerOptions = {}) {
  const server = await startMcpServer(options);
  closers.push(() => server.close());
  return server;
}

async function misbehaving(on: string, mischief: Mischief) {
  const server = await startHostileServer(on, mischief);
  closers.push(() => server.close());
  return server;
}

const text = (one: string) => ({ content: [{ type: 'text' as const, text: one }] });

// The first tool of a process loads the library.
beforeAll(async () => {
  const server = await serve();
  const { run } = startRunner();
  await run(toolAt(server.url, { timeout_ms: 30_000 }));
}, 30_000);

describe('a tool of an MCP server', () => {
  test.each([
    ['with a session, as events', { speaks: 'sessions', answersWith: 'sse' }, '2025-11-25'],
    ['with a session, as JSON', { speaks: 'sessions', answersWith: 'json' }, '2025-11-25'],
    ['without a session', { speaks: 'stateless' }, '2026-07-28'],
  ] as const)('is called once, and nothing is listed: %s', async (_what, options, version) => {
    const given: unknown[] = [];
    const server = await serve({
      ...options,
      call: (name, args, headers) => {
        given.push([name, args, headers.authorization, headers['idempotency-key']]);
        return text('nine');
      },
    });
    const { run } = startRunner();
    const tool = toolAt(server.url, { listed: { protocol_version: version, tools: [LISTED] } });
    expect(await run(tool)).toEqual({ kind: 'ok', output: 'nine' });
    expect(given).toEqual([['free_slots', { day: 'Tuesday' }, 'Bearer canary-4711', 'call-1/tool-1']]);
    expect(server.received.some(({ rpc }) => rpc === 'tools/list')).toBe(false);
    const call = server.received.find(({ rpc }) => rpc === 'tools/call');
    expect(call?.headers['mcp-protocol-version']).toBe(version);
  });

  test('begins one new session for all tools of its call once the server has forgotten theirs', async () => {
    const server = await serve();
    const { run } = startRunner();
    const tool = toolAt(server.url);
    await run(tool);
    server.forgetSessions();
    const runs = ['tool-2', 'tool-3', 'tool-4'].map((toolCallId) => run(tool, { toolCallId }));
    expect(await Promise.all(runs)).toEqual(runs.map(() => ({ kind: 'ok', output: 'nine' })));
    expect(server.received.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(2);
  });

  test('shares one session with the other tools of its call, which ends with the call', async () => {
    const server = await serve();
    const { run, over } = startRunner();
    await Promise.all(['one', 'two', 'three'].map((toolCallId) => run(toolAt(server.url), { toolCallId })));
    expect(server.received.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(1);
    expect(server.sessions).toBe(1);
    await run(toolAt(server.url), { callId: 'call-2' });
    expect(server.sessions).toBe(2);
    over.abort();
    await expect.poll(() => server.sessions).toBe(0);
  });

  test('is called again in a new session when the server has forgotten the old one', async () => {
    const server = await serve();
    const { run } = startRunner();
    await run(toolAt(server.url));
    server.forgetSessions();
    expect(await run(toolAt(server.url), { toolCallId: 'two' })).toEqual({ kind: 'ok', output: 'nine' });
    expect(server.called).toHaveLength(2);
    expect(server.received.filter(({ rpc }) => rpc === 'initialize')).toHaveLength(2);
  });

  test('reports the errors of the tool and of the server to the model', async () => {
    const server = await serve({
      call: (name) => {
        if (name === 'free_slots') return { ...text('the day is over'), isError: true };
        throw new Error('there is no such tool');
      },
    });
    const { run } = startRunner();
    expect(await run(toolAt(server.url))).toEqual({
      kind: 'failed',
      output: 'the tool reports an error: the day is over',
    });
    const other = toolAt(server.url, {}, { ...LISTED, server_name: 'gone' });
    expect(await run(other)).toEqual({
      kind: 'failed',
      output: 'the request failed: the server refuses: there is no such tool',
    });
  });

  test('gives the model text alone, cut at 16 KB', async () => {
    const long = 'ö'.repeat(10_000);
    const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
    const server = await serve({
      call: (_name, given) =>
        JSON.stringify(given).includes('long')
          ? text(`a${long}`)
          : { content: [{ type: 'text', text: 'nine' }, image], structuredContent: { at: 9 } },
    });
    const { run } = startRunner();
    expect((await run(toolAt(server.url))).output).toBe('nine\n[an image]');
    const { output } = await run(toolAt(server.url), { arguments: { day: 'long' } });
    expect(output).toBe(`a${'ö'.repeat(8_191)}\n(cut)`);
  });

  test('never gives the model a secret that the server sends back, also where the text is cut', async () => {
    const server = await serve({
      call: (_name, given, { authorization = '' }) =>
        text(`${JSON.stringify(given).includes('long') ? 'x'.repeat(16 * 1_024 - 12) : ''}${authorization}`),
    });
    const { run } = startRunner();
    expect((await run(toolAt(server.url))).output).toBe('Bearer [secret]');
    expect((await run(toolAt(server.url), { arguments: { day: 'long' } })).output).not.toContain('canary');
    expect(await run(toolAt(server.url), { secrets: new Map() })).toMatchObject({ kind: 'failed' });
  });

  test('is repeated once after 503, where the server said that this does no harm', async () => {
    let away = 0;
    const server = await serve({
      before: ({ rpc }, response) => {
        if (rpc !== 'tools/call' || away === 0) return false;
        away -= 1;
        response.writeHead(503).end();
        return true;
      },
    });
    const { run } = startRunner();
    const idempotent = toolAt(server.url, {}, { ...LISTED, idempotent: true });
    away = 1;
    expect(await run(idempotent)).toEqual({ kind: 'ok', output: 'nine' });
    away = 1;
    expect((await run(toolAt(server.url))).output).toContain('HTTP 503');
    away = 2;
    expect((await run(idempotent)).output).toContain('HTTP 503');
    const keys = server.received.flatMap(({ rpc, headers }) =>
      rpc === 'tools/call' ? [headers['idempotency-key']] : [],
    );
    expect(new Set(keys).size).toBe(1);
  });

  test.each([
    ['hangs', 'tools/call', { kind: 'hangs' }, 'took too long'],
    ['hangs at the handshake', 'initialize', { kind: 'hangs' }, 'took too long'],
    ['trickles', 'tools/call', { kind: 'trickles' }, 'took too long'],
    ['breaks off', 'tools/call', { kind: 'breaks_off' }, 'ended its answer'],
    ['sends 10 MB', 'tools/call', { kind: 'sends', bytes: 10_000_000 }, 'sends too much'],
    ['asks without end', 'tools/call', { kind: 'asks_without_end' }, 'too many requests'],
    ['sends broken JSON', 'tools/call', { kind: 'text', text: '{"jsonrpc"' }, 'as an MCP server'],
    ['sends no result', 'tools/call', { kind: 'result', result: { content: 7 } }, 'as an MCP server'],
    ['redirects', 'tools/call', { kind: 'status', status: 307, headers: { location: '/other' } }, 'redirects'],
    ['has no such path', 'everything', { kind: 'status', status: 404 }, 'HTTP 404'],
  ] as const)('fails at most once where the server %s', async (_what, on, mischief, why) => {
    const server = await misbehaving(on, mischief);
    const { run } = startRunner();
    const outcome = await run(toolAt(server.url, { timeout_ms: why === 'took too long' ? 500 : 10_000 }));
    expect(outcome).toEqual({ kind: 'failed', output: expect.stringContaining(why) });
    expect(server.received.filter((method) => method === 'tools/call').length).toBeLessThanOrEqual(1);
  });

  test('follows its stream where the server goes on in another', async () => {
    const result = { jsonrpc: '2.0', id: 0, result: text('ten') };
    let id: unknown;
    const server = await serve({
      before({ rpc, method, headers }, response) {
        if (rpc === 'tools/call') {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: at-1\nretry: 10\ndata:\n\n');
          return true;
        }
        if (method !== 'GET') return false;
        id = headers['last-event-id'];
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const nth of [1, 2, 3]) response.write(`data: ${JSON.stringify({ ...result, id: nth })}\n\n`);
        response.end();
        return true;
      },
    });
    const { run } = startRunner();
    expect(await run(toolAt(server.url))).toEqual({ kind: 'ok', output: 'ten' });
    expect(id).toBe('at-1');
  });
});

test('a server that hangs delays no tool of a neighbor, also at the same address', async () => {
  let nth = 0;
  const server = await serve({
    call: (_name, _given, { authorization }) =>
      authorization === 'Bearer hangs' ? new Promise(() => (nth += 1)) : text('nine'),
  });
  const { mcp, runOf } = startRunner();
  const bound = createAccountBoundRunner({
    runner: {
      run: ({ tool, ...run }) => (tool.type === 'mcp' ? mcp.run({ ...run, tool }) : Promise.reject(new Error())),
    },
    maxOfAccount: 32,
    clock: systemClock,
  });
  const tool = toolAt(server.url, { timeout_ms: 20_000 });
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const troubled = { accountId: 'troubled', secrets: new Map([['KEY', 'hangs']]), signal: over.signal };
  const hanging = Array.from({ length: 100 }, (_, one) =>
    bound.run(runOf(tool, { ...troubled, callId: `call-${one % 10}`, toolCallId: `tool-${one}` })),
  );
  await expect.poll(() => nth).toBe(32);
  const startedMs = performance.now();
  expect(await bound.run(runOf(tool, { callId: 'neighbor' }))).toEqual({ kind: 'ok', output: 'nine' });
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  over.abort();
  expect((await Promise.all(hanging)).every(({ kind }) => kind === 'failed')).toBe(true);
});

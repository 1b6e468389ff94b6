import { realtimeSettingsSchema, type ConductedSettings } from '@outdial/contracts';
import { createEgressFetch, envEgressAllow } from '@outdial/egress';
import { pause, systemClock } from '@outdial/kernel';
import { afterEach, describe, expect, test } from 'vitest';
import { pinTools } from './pin-tools.ts';
import { FREE_SLOTS, startHostileServer, startMcpServer, type McpServerOptions } from './testing/index.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(options: McpServerOptions = {}) {
  const server = await startMcpServer(options);
  closers.push(() => server.close());
  return server;
}

const SECRETS = new Map([['KEY', 'canary-4711']]);
const source = (url: string, changes: object = {}) => ({ type: 'mcp', name: 'crm', url, ...changes });

const level = (nth: number) => ({ properties: { a: { $ref: `#/$defs/L${nth}` }, b: { $ref: `#/$defs/L${nth}` } } });

async function pin(
  tools: readonly object[],
  { allowed = '127.0.0.1', previous }: { allowed?: string | undefined; previous?: ConductedSettings['tools'] } = {},
) {
  const egress = createEgressFetch({ allowed: envEgressAllow.parse(allowed), proxy: null });
  closers.push(() => egress.close());
  const settings = realtimeSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind people of a visit.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    tools,
  });
  const { signal } = new AbortController();
  return pinTools(
    { fetch: egress.fetch('allow_list'), clock: systemClock },
    {
      settings,
      secrets: SECRETS,
      signal,
      ...(previous === undefined ? {} : { previous }),
    },
  );
}

async function listedBy(tools: readonly object[]) {
  const pinned = await pin(tools);
  if (pinned.kind === 'refused') throw new Error(JSON.stringify(pinned.problems));
  return pinned.settings.tools.flatMap((tool) => (tool.type === 'mcp' ? [tool.listed] : []));
}

async function problemsOf(tools: readonly object[], allowed?: string) {
  const pinned = await pin(tools, { allowed });
  return pinned.kind === 'refused' ? pinned.problems : [];
}

async function listedOnce(changes: object = {}) {
  const server = await startMcpServer({});
  const pinned = await pin([source(server.url, changes)]);
  await server.close();
  if (pinned.kind === 'refused') throw new Error('not listed');
  return { url: server.url, tools: pinned.settings.tools };
}

describe('a server that is down', () => {
  test('keeps the tools that it listed for the version before, if its source is the same', async () => {
    const { url, tools } = await listedOnce();
    const pinned = await pin([source(url, { timeout_ms: 2_000 })], { previous: tools });
    expect(pinned).toMatchObject({ kind: 'pinned', settings: { tools: [{ timeout_ms: 2_000 }] } });
    const listed = pinned.kind === 'pinned' ? pinned.settings.tools.map((one) => one.type === 'mcp' && one.listed) : [];
    expect(listed).toEqual(tools.map((one) => one.type === 'mcp' && one.listed));
  });

  test.each([
    ['has other headers', { headers: { 'x-key': 'other' } }],
    ['has another name', { name: 'other' }],
    ['may use other tools', { allowed_tools: ['book_visit'] }],
  ])('is a problem if its source %s', async (_what, changes) => {
    const { url, tools } = await listedOnce();
    expect(await pin([source(url, changes)], { previous: tools })).toMatchObject({
      kind: 'refused',
      problems: [{ param: 'tools.0.url' }],
    });
  });

  test('is a problem if it was never listed', async () => {
    const { url } = await listedOnce();
    expect(await pin([source(url)])).toMatchObject({ kind: 'refused', problems: [{ param: 'tools.0.url' }] });
  });
});

describe('tools of an MCP server are kept in the settings', () => {
  test.each([
    ['with a session, as events', { speaks: 'sessions', answersWith: 'sse' }, '2025-11-25'],
    ['with a session, as JSON', { speaks: 'sessions', answersWith: 'json' }, '2025-11-25'],
    ['without a session', { speaks: 'stateless', answersWith: 'sse' }, '2026-07-28'],
    ['without a session, as JSON', { speaks: 'stateless', answersWith: 'json' }, '2026-07-28'],
  ] as const)('%s', async (_what, options, protocolVersion) => {
    const server = await serve(options);
    const [listed] = await listedBy([source(server.url, { headers: { authorization: 'Bearer {{secret.KEY}}' } })]);
    expect(listed).toEqual({
      protocol_version: protocolVersion,
      tools: [
        {
          name: 'free_slots',
          server_name: 'free_slots',
          description: 'Finds free appointments on a day.',
          parameters: FREE_SLOTS.inputSchema,
          idempotent: false,
        },
      ],
    });
    expect(server.received.every(({ headers }) => headers.authorization === 'Bearer canary-4711')).toBe(true);
    expect(server.called).toEqual([]);
  });

  test('also where the server takes its time after the handshake', async () => {
    const held: (() => void)[] = [];
    const server = await serve({
      delay: ({ rpc }) => (rpc === 'tools/list' ? new Promise((resolve) => held.push(resolve)) : undefined),
    });
    const listing = listedBy([source(server.url)]);
    await expect.poll(() => held.length).toBe(1);
    // Longer than what is left of a stream that has ended may take.
    await pause(systemClock, 300);
    held[0]?.();
    expect(await listing).toMatchObject([{ tools: [{ name: 'free_slots' }] }]);
  });

  test('and the session ends', async () => {
    const server = await serve();
    await listedBy([source(server.url)]);
    await expect.poll(() => server.sessions).toBe(0);
  });

  test('in a form that models and checks can use', async () => {
    const day = { type: 'string', pattern: '^(a+)+$', description: 'The day.' };
    const server = await serve({
      tools: [
        {
          name: 'Book-visit.v2',
          title: 'Books a visit',
          annotations: { idempotentHint: true },
          inputSchema: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            properties: { day: { $ref: '#/$defs/Day', title: 'Day' } },
            $defs: { Day: day },
          },
        },
      ],
    });
    const [listed] = await listedBy([source(server.url)]);
    expect(listed?.tools).toEqual([
      {
        name: 'Book_visit_v2',
        server_name: 'Book-visit.v2',
        description: 'Books a visit',
        parameters: {
          type: 'object',
          properties: { day: { type: 'string', description: 'The day. Pattern: ^(a+)+$', title: 'Day' } },
        },
        idempotent: true,
      },
    ]);
  });

  test('under the name of their source where another tool has theirs', async () => {
    const slots = { type: 'http', name: 'free_slots', description: 'Finds slots.', url: 'https://example.com' };
    const one = await serve({ tools: [FREE_SLOTS, { ...FREE_SLOTS, name: 'end_call' }] });
    const two = await serve({ tools: [{ ...FREE_SLOTS, name: '2_slots' }] });
    const listed = await listedBy([source(one.url), source(two.url, { name: 'other' }), slots]);
    expect(listed.map((list) => list?.tools.map(({ name }) => name))).toEqual([
      ['crm_free_slots', 'crm_end_call'],
      ['other_2_slots'],
    ]);
  });

  test('those alone that are allowed, in the order of the customer', async () => {
    const names = ['a', 'b', 'c'];
    const server = await serve({ tools: names.map((name) => ({ ...FREE_SLOTS, name })) });
    const [listed] = await listedBy([source(server.url, { allowed_tools: ['c', 'a'] })]);
    expect(listed?.tools.map(({ name }) => name)).toEqual(['c', 'a']);
  });

  test('without the secrets that the server sends back', async () => {
    const properties = { 'x-canary-4711': { type: 'string', enum: ['canary-4711'], description: 'Is canary-4711.' } };
    const server = await serve({
      tools: [{ ...FREE_SLOTS, description: 'Knows canary-4711.', inputSchema: { type: 'object', properties } }],
    });
    const [listed] = await listedBy([source(server.url)]);
    expect(JSON.stringify(listed)).toContain('Knows [secret].');
    expect(JSON.stringify(listed)).not.toContain('canary');
  });

  test('as they are now, whatever the settings had before', async () => {
    const server = await serve();
    const [before] = await listedBy([source(server.url)]);
    server.tools = [{ ...FREE_SLOTS, description: 'Finds more.' }];
    const [after] = await listedBy([source(server.url, { listed: before })]);
    expect(after?.tools.map(({ description }) => description)).toEqual(['Finds more.']);
  });
});

describe('settings are refused at their path', () => {
  test('for a tool that the server does not have', async () => {
    const server = await serve();
    const problems = await problemsOf([source(server.url, { allowed_tools: ['free_slots', 'books'] })]);
    expect(problems).toEqual([
      { param: 'tools.0.allowed_tools.1', message: 'must be a tool of the server: it has free_slots' },
    ]);
  });

  test.each([
    ['refers to itself', { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { items: { $ref: '#/$defs/A' } } } }],
    ['elsewhere', { properties: { a: { $ref: 'https://example.com/a.json' } } }],
    ['a.properties.a', { properties: { a: { type: 'nothing' } } }],
    ['bytes', { description: 'x'.repeat(20_000) }],
  ])('for a schema that %s', async (_what, schema) => {
    const server = await serve({ tools: [{ ...FREE_SLOTS, inputSchema: { type: 'object', ...schema } }] });
    const [problem, ...more] = await problemsOf([source(server.url)]);
    expect(problem?.param).toBe('tools.0.allowed_tools');
    expect(problem?.message).toMatch(/^must leave out the tool free_slots, which has an input schema/);
    expect(more).toEqual([]);
  });

  test('for a schema that grows without end when it is filled in', async () => {
    const $defs = Object.fromEntries(Array.from({ length: 12 }, (_, nth) => [`L${nth}`, level(nth + 1)]));
    const inputSchema = { type: 'object' as const, ...level(0), $defs: { ...$defs, L12: { type: 'string' } } };
    const server = await serve({ tools: [{ ...FREE_SLOTS, inputSchema }] });
    expect(await problemsOf([source(server.url)])).toMatchObject([{ param: 'tools.0.allowed_tools' }]);
  });

  test('for a schema whose texts grow when they are filled in', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, nth) => [`p${nth}`, { $ref: '#/$defs/Text' }]),
    );
    const $defs = { Text: { type: 'string', description: 'x'.repeat(1_000) } };
    const server = await serve({ tools: [{ ...FREE_SLOTS, inputSchema: { type: 'object', properties, $defs } }] });
    expect(await problemsOf([source(server.url)])).toEqual([
      { param: 'tools.0.allowed_tools', message: expect.stringMatching(/free_slots, .* has too many characters$/) },
    ]);
  });

  test('for schemas that cannot be used, of which ten are checked', async () => {
    const inputSchema = { type: 'object' as const, properties: { a: { type: 'nothing' } } };
    const server = await serve({
      tools: Array.from({ length: 60 }, (_, nth) => ({ name: `tool_${nth}`, inputSchema })),
    });
    expect(await problemsOf([source(server.url)])).toHaveLength(10);
  });

  test('without the secrets that a server writes into names', async () => {
    const server = await serve({ tools: [{ ...FREE_SLOTS, name: 'x-canary-4711' }] });
    const given = { headers: { authorization: 'Bearer {{secret.KEY}}' } };
    const problems = [
      ...(await problemsOf([source(server.url, given)])),
      ...(await problemsOf([source(server.url, { ...given, allowed_tools: ['books'] })])),
    ];
    expect(problems).toHaveLength(2);
    expect(JSON.stringify(problems)).not.toContain('canary');
  });

  test('for more tools, and more bytes, than models read', async () => {
    const many = Array.from({ length: 65 }, (_, nth) => ({ ...FREE_SLOTS, name: `tool_${nth}` }));
    const server = await serve({ tools: many });
    expect(await problemsOf([source(server.url)])).toEqual([
      { param: 'tools.0.allowed_tools', message: 'must name at most 64 tools: the server has 65' },
    ]);
    server.tools = many.slice(0, 40).map((tool) => ({ ...tool, description: 'x'.repeat(5_000) }));
    expect(await problemsOf([source(server.url)])).toMatchObject([
      { param: 'tools.0.allowed_tools', message: expect.stringContaining('131072 bytes') },
    ]);
  });

  test('for a server without tools', async () => {
    const server = await serve({ tools: [] });
    expect(await problemsOf([source(server.url)])).toMatchObject([{ param: 'tools.0.url' }]);
  });

  test('for an address outside of what is allowed, to which nothing is sent', async () => {
    const server = await serve();
    const problems = await problemsOf([source(server.url)], '10.0.0.0/8');
    expect(problems).toMatchObject([{ param: 'tools.0.url' }]);
    expect(server.received).toEqual([]);
  });

  test.each([
    ['hangs', 'everything', { kind: 'hangs' }, 'took too long'],
    ['hangs after the handshake', 'tools/list', { kind: 'hangs' }, 'took too long'],
    ['trickles', 'tools/list', { kind: 'trickles' }, 'took too long'],
    ['breaks off', 'tools/list', { kind: 'breaks_off' }, 'ended its answer'],
    ['sends 10 MB', 'tools/list', { kind: 'sends', bytes: 10_000_000 }, 'sends too much'],
    ['asks without end', 'tools/list', { kind: 'asks_without_end' }, 'too many requests'],
    ['sends broken JSON', 'tools/list', { kind: 'text', text: '{"jsonrpc"' }, 'as an MCP server'],
    ['sends no list', 'tools/list', { kind: 'result', result: { tools: 'many' } }, 'as an MCP server'],
    ['is a page', 'everything', { kind: 'text', text: '<html>', contentType: 'text/html' }, 'as an MCP server'],
    ['never ends its list', 'tools/list', { kind: 'result', result: { tools: [], nextCursor: 'a' } }, 'never ends'],
    ['wants a key', 'everything', { kind: 'status', status: 401 }, 'HTTP 401'],
    ['is away', 'everything', { kind: 'status', status: 503 }, 'HTTP 503'],
    ['is not there', 'everything', { kind: 'status', status: 404 }, 'HTTP 404'],
  ] as const)('for a server that %s', async (_what, on, mischief, why) => {
    const server = await startHostileServer(on, mischief);
    closers.push(() => server.close());
    const problems = await problemsOf([source(server.url, { timeout_ms: why === 'took too long' ? 500 : 10_000 })]);
    expect(problems).toEqual([{ param: 'tools.0.url', message: expect.stringContaining(why) }]);
  });

  test('for a redirect, which is not followed', async () => {
    const other = await serve();
    const hostile = await startHostileServer('everything', {
      kind: 'status',
      status: 307,
      headers: { location: other.url },
    });
    closers.push(() => hostile.close());
    const problems = await problemsOf([source(hostile.url)]);
    expect(problems).toEqual([{ param: 'tools.0.url', message: expect.stringContaining('redirects') }]);
    expect(other.received).toEqual([]);
  });
});

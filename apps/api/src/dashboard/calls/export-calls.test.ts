import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { callIdSchema, CSV_COLUMNS } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let member: Desk;
beforeAll(async () => {
  api = await openApi();
  account = await api.account({ capacity: 100 });
  member = await openDesk(api, account.id, 'member');
});
afterAll(() => api.close());

async function newCallId(changes: Readonly<Record<string, unknown>> = {}) {
  const json = { ...account.newCall, ...changes };
  return callIdSchema.parse((await api.request('POST', '/outbound/calls', { key: account.key, json })).call().id);
}

/** Splits lines. No cell contains a line break. */
const linesOf = (text: string) => text.split('\r\n').slice(1, -1);

describe('200', () => {
  it('a file of every listed call, in the order of the list, with a header line', async () => {
    const ended = await newCallId();
    await driveCall(api.database, ended);
    const queued = await newCallId();
    const answer = await member.request('GET', 'calls.csv');
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
      200,
      {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="calls.csv"',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    ]);
    // `fetch` removes the byte order mark.
    expect(answer.text.split('\r\n')[0]).toBe(CSV_COLUMNS.join(','));
    const [first, second] = linesOf(answer.text).map((line) => line.split(','));
    expect([first?.[0], first?.[2], first?.[6]]).toEqual([queued, 'queued', '+12025550143']);
    expect(second?.slice(0, 7)).toEqual([
      ended,
      expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      'ended',
      'callee_hangup',
      account.agentId,
      account.fromNumber,
      '+12025550143',
    ]);
    expect(second?.slice(10, 17)).toEqual(['63', '120', 'human', '200', '0.024', 'USD', 'none']);
  });

  it('begins with a byte order mark', async () => {
    const response = await fetch(`${api.url}/api/dashboard/accounts/${account.id}/calls.csv`, member);
    expect([...new Uint8Array(await response.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it('by the filters of the list', async () => {
    const cancelled = await newCallId({ to_number: '+12025550177' });
    await member.request('POST', `outbound/calls/${cancelled}/end`);
    for (const query of [
      'to_number=%2B12025550177',
      'ended_reason=cancelled',
      'status=ended&to_number=%2B12025550177',
    ]) {
      const { text } = await member.request('GET', `calls.csv?${query}`);
      expect(linesOf(text).map((line) => line.split(',')[0])).toEqual([cancelled]);
    }
    expect(linesOf((await member.request('GET', 'calls.csv?ended_reason=no_audio')).text)).toEqual([]);
  });

  it('text stays text, even where a spreadsheet would compute it', async () => {
    const id = await newCallId({ to_number: '+12025550178', metadata: { note: '"=1+1"' } });
    await member.request('PATCH', `outbound/calls/${id}`, {
      json: { review_note: '=HYPERLINK("http://evil.example")' },
    });
    const { text } = await member.request('GET', 'calls.csv?to_number=%2B12025550178');
    expect(text).toContain(`,"'=HYPERLINK(""http://evil.example"")",{},"{""note"":""\\""=1+1\\""""}"\r\n`);
  });

  it('headers without a body for HEAD', async () => {
    const head = await member.request('HEAD', 'calls.csv');
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      '',
    ]);
  });
});

it.each(['limit=1', 'cursor=x', 'status=done', 'to_number=1'])('400 names %s', async (query) => {
  const answer = await member.request('GET', `calls.csv?${query}`);
  expect([answer.status, answer.error().param]).toEqual([400, query.split('=')[0]]);
});

describe('thousands of calls', () => {
  const CALLS = 20_000;
  let large: TestAccount;
  beforeAll(async () => {
    large = await api.account();
    await api.database.side.$executeRaw`
      INSERT INTO calls (id, account_id, agent_id, agent_version, caller_number, callee_number, status, ended_reason,
        currency, rate_prefix, connection_fee_micros, price_per_minute_micros, initial_increment_seconds,
        increment_seconds, reservation_id, hold_micros, max_duration_seconds, ring_timeout_seconds, request_id, summary,
        created_at, expires_at, started_at, ended_at, settled_at)
      SELECT gen_random_uuid(), ${large.id}::uuid, ${large.agentId}::uuid, 1, '+12025550100', '+12025550143', 'ended',
        'busy', 'USD', '1', 0, 12000, 60, 60, gen_random_uuid(), 12000, 1800, 30, 'many', repeat('long ', 100),
        t.at, t.at, t.at + interval '1 second', t.at + interval '2 seconds', t.at + interval '2 seconds'
      FROM generate_series(1, ${CALLS}::int) AS n, LATERAL (SELECT now() - n * interval '1 minute' AS at) t`;
  });

  async function open(desk: Desk): Promise<IncomingMessage> {
    const path = `${api.url}/api/dashboard/accounts/${large.id}/calls.csv`;
    const [response]: IncomingMessage[] = await once(get(path, { agent: false, headers: desk.headers }), 'response');
    invariant(response, 'there is a response');
    return response.on('error', () => undefined);
  }

  it('are in it, each once', async () => {
    const desk = await openDesk(api, large.id, 'member');
    const ids = linesOf((await desk.request('GET', 'calls.csv')).text).map((line) => line.split(',')[0]);
    expect([ids.length, new Set(ids).size]).toEqual([CALLS, CALLS]);
  });

  it('are sent as fast as the client reads, and no longer after its session has ended', async () => {
    const desk = await openDesk(api, large.id, 'member');
    const response = await open(desk);
    await desk.end();
    // The rest must exceed the buffers of the connection when the API sees that the session has ended.
    let bytes = 0;
    await expect
      .poll(() => api.request('GET', `//api/dashboard/accounts/${large.id}/account`, desk).then(({ status }) => status))
      .toBe(401);
    response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await new Promise((resolve) => response.once('close', resolve));
    expect(response.complete).toBe(false);
    expect(bytes).toBeLessThan(CALLS * 500);
  });
});

import { randomUUID } from 'node:crypto';
import {
  accountEnvelopeSchema,
  callEventListSchema,
  callIdSchema,
  callListSchema,
  type CallId,
} from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk, type Desk } from '../../test/desk.ts';
import { driveCall } from '../../test/drive.ts';
import { openEventStream } from '../../test/event-stream-client.ts';
import { keepRecording } from '../../test/keep-recording.ts';
import { openApi, type TestApi } from '../../test/open-api.ts';
import type { TestAccount } from '../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let member: Desk;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account({ capacity: 20 });
  member = await openDesk(api, account.id, 'member');
});
afterAll(() => api.close());

const create = (changes: Readonly<Record<string, unknown>> = {}, headers = {}) =>
  member.request('POST', 'outbound/calls', { json: { ...account.newCall, ...changes }, headers });
const newCallId = async (): Promise<CallId> => callIdSchema.parse((await create()).call().id);
const byKey = (path: string) => api.request('GET', path, { key: account.key });

describe('a member does with a session what a program does with a key', () => {
  it('places a call and reads it, alone and in the list', async () => {
    const created = await create({ metadata: { order: 1042 } });
    expect(created.status).toBe(201);
    const call = created.call();
    expect((await member.request('GET', `outbound/calls/${call.id}`)).call()).toEqual(call);
    const list = await member.request('GET', 'outbound/calls?status=queued&limit=1');
    expect(callListSchema.parse(list.json)).toEqual({ calls: [call], has_more: false, next_cursor: null });
  });

  it('continues with a page that a key began, and the reverse', async () => {
    for (let count = 0; count < 3; count += 1) await newCallId();
    const first = callListSchema.parse((await byKey('/outbound/calls?limit=2')).json);
    const second = await member.request('GET', `outbound/calls?limit=2&cursor=${first.next_cursor}`);
    expect(callListSchema.parse(second.json).calls).toHaveLength(1);
  });

  it('writes a note that a spreadsheet or a page might execute, and ends the call', async () => {
    const id = await newCallId();
    const note = '=1+1 <script>alert(1)</script> ‮';
    const noted = await member.request('PATCH', `outbound/calls/${id}`, { json: { review_note: note } });
    expect([noted.status, noted.call().review_note]).toEqual([200, note]);
    const ended = await member.request('POST', `outbound/calls/${id}/end`);
    expect([ended.status, ended.call().ended_reason]).toEqual([202, 'cancelled']);
    expect((await member.request('POST', `outbound/calls/${id}/end`)).status).toBe(200);
  });

  it('reads the timeline, as a list and as a stream to its end', async () => {
    const id = await newCallId();
    const path = `/api/dashboard/accounts/${account.id}/outbound/calls/${id}/events`;
    const stream = await openEventStream(api.url, { path, headers: member.headers });
    await driveCall(api.database, id);
    expect(await stream.ended).toEqual({ whole: true });
    const { events } = callEventListSchema.parse((await member.request('GET', `outbound/calls/${id}/events`)).json);
    expect(stream.messages().map(({ id: eventId }) => eventId)).toEqual(events.map(({ id: eventId }) => eventId));
    expect(events.at(-1)?.type).toBe('ended');
  });

  it('plays the recording from any position', async () => {
    const id = await newCallId();
    await driveCall(api.database, id, { recordingKey: await keepRecording(api.dataDir, {}, id) });
    const url = `${api.url}/api/dashboard/accounts/${account.id}/calls/${id}/recording`;
    const whole = await fetch(url, { headers: member.headers });
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const part = await fetch(url, { headers: { ...member.headers, Range: 'bytes=100-199' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(100, 200));
    const head = await fetch(url, { method: 'HEAD', headers: member.headers });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect((await fetch(url)).status).toBe(401);
  });

  it('reads the balance and the capacity', async () => {
    const answer = await member.request('GET', 'account');
    expect(accountEnvelopeSchema.parse(answer.json)).toEqual((await byKey('/account')).json);
  });
});

describe('a call is rejected for the same reasons, with the same codes', () => {
  it.each<[number, string, () => Promise<Readonly<Record<string, unknown>>>]>([
    [400, 'invalid_request', async () => ({ to_number: '12025550143' })],
    [403, 'agent_access_denied', async () => ({ agent_id: (await api.account()).agentId })],
    [403, 'from_number_not_allowed', async () => ({ from_number: '+12025550187' })],
    [403, 'destination_not_allowed', async () => ({ to_number: '+4930123456' })],
  ])('%i %s', async (status, code, changes) => {
    const answer = await create(await changes());
    expect([answer.status, answer.error().code]).toEqual([status, code]);
  });

  it('402 insufficient_funds and 429 capacity_exceeded, with their figures', async () => {
    for (const [options, status, code, details] of [
      [{ balance: '0.001' }, 402, 'insufficient_funds', { required: 0.024, available: 0.001, currency: 'USD' }],
      [{ capacity: 0 }, 429, 'capacity_exceeded', { scope: 'account', limit: 0, in_use: 0 }],
    ] as const) {
      const poor = await api.account(options);
      const desk = await openDesk(api, poor.id, 'member');
      const answer = await desk.request('POST', 'outbound/calls', { json: poor.newCall });
      expect([answer.status, answer.error().code, answer.error().details]).toEqual([status, code, details]);
    }
  });
});

it('an Idempotency-Key belongs to the account, for keys and members alike', async () => {
  const headers = { 'Idempotency-Key': `k ${randomUUID()}` };
  const first = await create({}, headers);
  const colleague = await openDesk(api, account.id);
  const again = await colleague.request('POST', 'outbound/calls', { json: account.newCall, headers });
  const byProgram = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall, headers });
  for (const answer of [again, byProgram]) {
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(answer.call().id).toBe(first.call().id);
  }
  const other = await create({ to_number: '+12025550199' }, headers);
  expect([other.status, other.error().code]).toEqual([422, 'idempotency_key_reused']);
});

describe('for another account’s calls', () => {
  it('each path responds 404 without an effect', async () => {
    const stranger = await api.account();
    const theirs = callIdSchema.parse(
      (await api.request('POST', '/outbound/calls', { key: stranger.key, json: stranger.newCall })).call().id,
    );
    for (const [method, path, json] of [
      ['GET', `outbound/calls/${theirs}`, undefined],
      ['PATCH', `outbound/calls/${theirs}`, { review_note: 'mine' }],
      ['POST', `outbound/calls/${theirs}/end`, undefined],
      ['GET', `outbound/calls/${theirs}/events`, undefined],
      ['GET', `calls/${theirs}/recording`, undefined],
    ] as const) {
      for (const id of [theirs, randomUUID()]) {
        const answer = await member.request(method, path.replace(theirs, id), json === undefined ? {} : { json });
        expect([answer.status, answer.error().code]).toEqual([404, 'call_not_found']);
      }
    }
    const call = (await api.request('GET', `/outbound/calls/${theirs}`, { key: stranger.key })).call();
    expect([call.status, call.review_note]).toEqual(['queued', null]);
  });

  it('the list and the export are empty', async () => {
    const stranger = await api.account();
    await api.request('POST', '/outbound/calls', { key: stranger.key, json: stranger.newCall });
    const mine = await newCallId();
    const list = callListSchema.parse((await member.request('GET', 'outbound/calls')).json);
    expect(list.calls.map(({ id }) => id)).toEqual([mine]);
    const { text } = await member.request('GET', `calls.csv?agent_id=${stranger.agentId}`);
    expect(text.trim().split('\r\n')).toHaveLength(1);
  });
});

it('texts return unchanged', async () => {
  const name = '</script><img src=x onerror=alert(1)> "; DROP TABLE calls; -- \u2028 {{name}}';
  const hostile = `${name} \u202E`;
  const agent = await member.request('POST', 'agents', {
    json: { settings: { name, first_message: 'Hello {{name}}.' } },
  });
  expect(agent.status).toBe(201);
  const { id } = JSON.parse(agent.text).agent;
  const given = { variables: { name: hostile }, metadata: { [hostile]: [hostile] } };
  const created = await create({ agent_id: id, ...given });
  expect(created.call()).toMatchObject(given);
  expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(created.headers.get('x-content-type-options')).toBe('nosniff');
});

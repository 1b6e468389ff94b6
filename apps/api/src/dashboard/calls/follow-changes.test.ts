import { callIdSchema, type CallId } from '@outdial/contracts';
import { EventSource } from 'eventsource';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChanges, type ChangeClient } from '../../../test/change-client.ts';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { claimCall, driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let member: Desk;
beforeAll(async () => {
  api = await openApi({ limits: { OUTDIAL_KEY_STREAMS: '3' } });
  account = await api.account({ capacity: 1_000, balance: '1000' });
  member = await openDesk(api, account.id, 'member');
});
afterAll(() => api.close());

async function newCallId(of = account, changes: Readonly<Record<string, unknown>> = {}): Promise<CallId> {
  const json = { ...of.newCall, ...changes };
  return callIdSchema.parse((await api.request('POST', '/outbound/calls', { key: of.key, json })).call().id);
}

const follow = (lastEventId?: string, desk = member) =>
  openChanges(api.url, {
    accountId: account.id,
    headers: desk.headers,
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });

/** The stream carries changes from here on: earlier ones are in the list that a resync asks for. */
async function followed(desk = member): Promise<ChangeClient> {
  const stream = await follow(undefined, desk);
  await stream.until(({ length }) => length > 0);
  return stream;
}

/** Resolves once the stream has carried the call in that state. */
const untilSent = (stream: ChangeClient, id: CallId, status: string) =>
  stream.until((all) =>
    all.some((change) => change.kind === 'call' && change.call.id === id && change.call.status === status),
  );

describe('200', () => {
  it('a resync, then each call after its change, even without a hint about the change', async () => {
    const stream = await followed();
    expect(stream.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    expect(stream.changes()).toEqual([{ kind: 'resync' }]);
    const id = await newCallId();
    await untilSent(stream, id, 'queued');
    // Writes like a worker, without an announcement.
    await driveCall(api.database, id);
    await untilSent(stream, id, 'ended');
    const {
      transcript: _,
      variables: _variables,
      metadata: _metadata,
      ...body
    } = (await member.request('GET', `outbound/calls/${id}`)).call();
    expect(stream.calls().at(-1)).toEqual(body);
    stream.hangUp();
  });

  it('carries no call of another account', async () => {
    const stranger = await api.account();
    const stream = await followed();
    const theirs = await newCallId(stranger);
    const mine = await newCallId();
    await untilSent(stream, mine, 'queued');
    expect(stream.text()).not.toContain(theirs);
    expect(stream.text()).not.toContain(stranger.id);
    stream.hangUp();
  });

  it('after Last-Event-ID: all missed changes, without a resync', async () => {
    const first = await followed();
    const seen = await newCallId();
    await untilSent(first, seen, 'queued');
    const lastEventId = first.lastEventId();
    first.hangUp();
    const missed = await newCallId();
    await claimCall(api.database, seen);
    const second = await follow(lastEventId);
    await untilSent(second, missed, 'queued');
    await untilSent(second, seen, 'dialing');
    const later = await newCallId();
    await untilSent(second, later, 'queued');
    expect(second.changes()).not.toContainEqual({ kind: 'resync' });
    second.hangUp();
  });

  it.each(['x', '', '0', '00000001-99999999999999', 'FFFFFFFF-1', '00000001-0x10', `00000001-${'9'.repeat(40)}`])(
    'a resync for an unknown Last-Event-ID: %j',
    async (lastEventId) => {
      const stream = await follow(lastEventId);
      await stream.until(({ length }) => length > 0);
      expect(stream.changes()[0]).toEqual({ kind: 'resync' });
      stream.hangUp();
    },
  );

  it('only the last message of a batch carries the position', async () => {
    const before = await followed();
    const lastEventId = before.lastEventId();
    before.hangUp();
    const ids = [await newCallId(), await newCallId(), await newCallId()];
    const stream = await follow(lastEventId);
    for (const id of ids) await untilSent(stream, id, 'queued');
    const messages = stream.text().split('\n\n');
    const batch = messages.slice(0, messages.findIndex((message) => message.startsWith('id: ')) + 1);
    // All missed changes are one batch. After a break within the batch the client receives the whole batch again.
    for (const id of ids) expect(batch.join('')).toContain(id);
    stream.hangUp();
  });

  it('texts arrive unchanged, in one line of JSON', async () => {
    const stream = await followed();
    const note = '</script><img src=x onerror=alert(1)>\n\nevent: resync\ndata: {}\u2028';
    const id = await newCallId();
    await api.request('PATCH', `/outbound/calls/${id}`, { key: account.key, json: { review_note: note } });
    await api.request('POST', `/outbound/calls/${id}/end`, { key: account.key });
    await untilSent(stream, id, 'ended');
    expect(stream.calls().findLast((call) => call.id === id)?.review_note).toBe(note);
    stream.hangUp();
  });

  it('headers without a body for HEAD', async () => {
    const head = await member.request('HEAD', 'changes');
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, 'text/event-stream', '']);
  });
});

it('an EventSource that was disconnected continues without a gap', async () => {
  const heard = new Set<string>();
  let [asked, resyncs] = [0, 0];
  const cut = new AbortController();
  /** Acts as a broken connection. */
  const breaking = ({ body, headers }: Response) => {
    const { readable, writable } = new TransformStream();
    body?.pipeTo(writable, { signal: cut.signal }).catch(() => undefined);
    return new Response(readable, { headers });
  };
  const source = new EventSource(`${api.url}/api/dashboard/accounts/${account.id}/changes`, {
    async fetch(url, init) {
      asked += 1;
      const response = await fetch(url, { ...init, headers: { ...init.headers, ...member.headers } });
      return asked === 1 ? breaking(response) : response;
    },
  });
  source.addEventListener('resync', () => (resyncs += 1));
  source.addEventListener('call', ({ data }) => heard.add(JSON.parse(data).id));
  await expect.poll(() => resyncs).toBe(1);
  cut.abort(new TypeError('terminated'));
  const missed = await newCallId();
  await expect.poll(() => heard.has(missed), { timeout: 30_000 }).toBe(true);
  expect([resyncs, asked > 1]).toEqual([1, true]);
  source.close();
});

it('ends within three seconds after its session or the membership', async () => {
  const desk = await openDesk(api, account.id, 'member');
  const stream = await followed(desk);
  const endedMs = performance.now();
  await desk.end();
  expect(await stream.ended).toEqual({ whole: true });
  // A stalled machine must not end the test sooner.
  expect(performance.now() - endedMs).toBeLessThan(3_000 + 2_000);
  const again = await api.request('GET', `//api/dashboard/accounts/${account.id}/changes`, desk);
  expect([again.status, again.error().code]).toEqual([401, 'not_signed_in']);
});

it('429 while the session has its maximum of streams', async () => {
  const desk = await openDesk(api, account.id, 'member');
  const open = [await follow(undefined, desk), await follow(undefined, desk), await follow(undefined, desk)];
  const refused = await desk.request('GET', 'changes');
  expect([refused.status, refused.error().code]).toEqual([429, 'rate_limited']);
  for (const stream of open) stream.hangUp();
});

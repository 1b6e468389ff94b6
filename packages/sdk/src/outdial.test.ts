import { describe, expect, it } from 'vitest';
import { json, refusal, sdkWith, sentEvent, stream } from '../test/sdk-with.ts';
import { OutdialError } from './errors.ts';
import { Outdial } from './outdial.ts';

const call = (status: string) => json(200, { call: { id: 'c-1', status, events: 'a field of a later server' } });
const isStream = (request: Request) => request.headers.get('Accept') === 'text/event-stream';
const event = (id: string, type: string) => ({ id, type, at: '', data: {} });

/** An event, then three hours in which the server only says that it is there, then a broken connection. */
function hoursOfSilence() {
  let passedMs = 0;
  return {
    passedMs: () => passedMs,
    stream(first: { readonly id: string; readonly type: string }): Response {
      const texts = [sentEvent(first), ...Array.from({ length: 720 }, () => ': still here\n\n')];
      const chunks = texts.map((text) => new TextEncoder().encode(text));
      const body = new ReadableStream(
        {
          pull(controller) {
            const chunk = chunks.shift();
            passedMs += 15_000;
            if (chunk === undefined) controller.error(new TypeError('terminated'));
            else controller.enqueue(chunk);
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
    },
  };
}

it('without a key or an address it says which setting is missing', () => {
  expect(() => new Outdial({ baseUrl: 'https://x' })).toThrow(OutdialError);
  expect(() => new Outdial({ baseUrl: 'https://x' })).toThrow(/OUTDIAL_API_KEY/);
  expect(() => new Outdial({ apiKey: 'k' })).toThrow(/OUTDIAL_BASE_URL/);
});

it('the key is in a header, and neither in the client as text nor as JSON', async () => {
  const { outdial, requests } = sdkWith(() => json(200, { account: {} }));
  await outdial.account.get();
  expect(requests[0]?.headers.get('X-API-Key')).toBe('od_live_test');
  expect(requests[0]?.url).toBe('https://outdial.test/api/v1/account');
  expect(JSON.stringify(outdial)).not.toContain('od_live_test');
});

it('values that this version does not know pass through, and no field hides a method', async () => {
  const { outdial } = sdkWith(() => call('parked'));
  const found = await outdial.calls.get('c-1');
  expect(found.status).toBe('parked');
  expect(typeof found.events).toBe('function');
  expect(JSON.parse(JSON.stringify(found))).toEqual({ id: 'c-1', status: 'parked' });
});

const pages = () =>
  sdkWith((request) => {
    const cursor = new URL(request.url).searchParams.get('cursor');
    // A page may be empty although more follow.
    if (cursor === null) return json(200, { calls: [{ id: '1' }], has_more: true, next_cursor: 'b' });
    if (cursor === 'b') return json(200, { calls: [], has_more: true, next_cursor: 'c' });
    return json(200, { calls: [{ id: '2' }], has_more: false, next_cursor: null });
  });

describe('a list', () => {
  it('is read page by page, to its end, with its filter', async () => {
    const { outdial, requests } = pages();
    const ids: string[] = [];
    for await (const { id } of outdial.calls.list({ status: 'ended', to_number: '+1202' })) ids.push(id);
    expect(ids).toEqual(['1', '2']);
    for (const { url } of requests) expect(url).toContain('status=ended&to_number=%2B1202');
    expect(requests).toHaveLength(3);
  });

  it('reads a page only when it is needed', async () => {
    const { outdial, requests } = pages();
    for await (const _ of outdial.calls.list()) break;
    expect(requests).toHaveLength(1);
    const page = await outdial.calls.list().page('b');
    expect(page).toEqual({ items: [], hasMore: true, nextCursor: 'c' });
    expect((await outdial.calls.list({ cursor: 'c' }).page()).items).toHaveLength(1);
  });
});

describe('the events of a call', () => {
  it('go on after the last one when the connection breaks, and come once', async () => {
    const { outdial, requests } = sdkWith((_, attempt) => {
      if (attempt === 1) return stream([event('1', 'queued'), event('2', 'dialing')], true);
      if (attempt === 2) return refusal(503, 'service_unavailable', { headers: { 'Retry-After': '60' } });
      if (attempt === 3) return stream([event('3', 'ringing'), event('', 'turn')]);
      return stream([event('4', 'ended'), event('5', 'analyzed')]);
    });
    const types: string[] = [];
    for await (const { type } of outdial.calls.events('c-1')) types.push(type);
    expect(types).toEqual(['queued', 'dialing', 'ringing', 'ended', 'analyzed']);
    const positions = requests.map(({ headers }) => headers.get('Last-Event-ID'));
    expect(positions).toEqual([null, '2', '2', '3']);
  });

  it('go on after hours without one, as those of a scheduled call, although the service is away for a moment', async () => {
    const hours = hoursOfSilence();
    const { outdial } = sdkWith(
      (_, attempt) => {
        if (attempt === 1) return hours.stream(event('1', 'scheduled'));
        return attempt < 5 ? Promise.reject(new TypeError('fetch failed')) : stream([event('2', 'ended')]);
      },
      { passedMs: hours.passedMs },
    );
    const types: string[] = [];
    for await (const { type } of outdial.calls.events('c-1')) types.push(type);
    expect(types).toEqual(['scheduled', 'ended']);
  });

  it('end at once for who has them all', async () => {
    const { outdial } = sdkWith(() => new Response(null, { status: 204 }));
    expect(await outdial.calls.events('c-1', { lastEventId: '5' }).next()).toEqual({ done: true, value: undefined });
  });

  it('are an error for a call that does not exist', async () => {
    const { outdial } = sdkWith(() => refusal(404, 'call_not_found'));
    await expect(outdial.calls.events('c-1').next()).rejects.toMatchObject({ code: 'call_not_found' });
  });
});

describe('waiting', () => {
  it('ends with the call, once the stream says so', async () => {
    let reads = 0;
    const { outdial } = sdkWith((request) => {
      if (isStream(request)) return stream([event('1', 'queued'), event('2', 'ended')]);
      reads += 1;
      return call(reads === 1 ? 'queued' : 'ended');
    });
    expect((await outdial.calls.wait('c-1')).status).toBe('ended');
    expect(reads).toBe(2);
  });

  it('asks for the call where no events come through', async () => {
    let reads = 0;
    const { outdial, requests } = sdkWith((request) => {
      if (isStream(request)) return new Response('<html>buffered</html>');
      reads += 1;
      return call(reads < 9 ? 'ringing' : 'ended');
    });
    expect((await outdial.calls.wait('c-1')).status).toBe('ended');
    // Two streams without an event are enough to know.
    expect(requests.filter(isStream)).toHaveLength(2);
  });

  it('goes on after hours of a scheduled call without an event, although the service is away for a moment', async () => {
    const hours = hoursOfSilence();
    let reads = 0;
    const { outdial } = sdkWith(
      (request) => {
        if (isStream(request))
          return reads === 1 ? hours.stream(event('1', 'scheduled')) : stream([event('2', 'ended')]);
        reads += 1;
        if (reads === 1) return call('scheduled');
        return reads < 9 ? Promise.reject(new TypeError('fetch failed')) : call('ended');
      },
      { passedMs: hours.passedMs },
    );
    expect((await outdial.calls.wait('c-1')).status).toBe('ended');
  });

  it('goes on while the service is away, and gives up after five minutes without an answer', async () => {
    let reads = 0;
    const { outdial } = sdkWith((request) => {
      if (isStream(request)) return Promise.reject(new TypeError('fetch failed'));
      reads += 1;
      return reads < 12 ? refusal(503, 'service_unavailable') : call('ended');
    });
    expect((await outdial.calls.wait('c-1')).status).toBe('ended');
    const away = sdkWith(() => Promise.reject(new TypeError('fetch failed')));
    await expect(away.outdial.calls.wait('c-1')).rejects.toMatchObject({ code: 'connection_failed' });
    expect(away.pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(300_000);
  });

  it('ends with the reason of an aborted signal', async () => {
    const stop = new AbortController();
    const { outdial } = sdkWith((request) => {
      if (isStream(request)) stop.abort(new Error('enough'));
      return isStream(request) ? stream([]) : call('ringing');
    });
    await expect(outdial.calls.wait('c-1', { signal: stop.signal })).rejects.toThrow('enough');
  });
});

import { expect, it } from 'vitest';
import { json, refusal, sdkWith } from '../../test/sdk-with.ts';

const messageOf = (id: string) => ({
  message_id: id,
  attempt: 1,
  type: 'call.ended',
  call_id: null,
  headers: { 'webhook-id': `msg_${id}` },
  body: '{"a": 1}',
});

/** A stream with these messages, which then ends or breaks. */
function streamOf(ids: readonly string[], isCut = false): Response {
  const events = ids.map((id) => `event: webhook\ndata: ${JSON.stringify(messageOf(id))}\n\n`);
  const chunks = [new TextEncoder().encode(`retry: 2000\n\n: still here\n\n${events.join('')}`)];
  const body = new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (isCut) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

it('a stream goes on after its connection ends or breaks, and while the service is away, until the listener has ended', async () => {
  const { outdial, requests, pauses } = sdkWith((_, attempt) => {
    if (attempt === 1) return streamOf(['a', 'b'], true);
    if (attempt === 2) return streamOf(['c']);
    if (attempt < 8) return Promise.reject(new TypeError('fetch failed'));
    if (attempt === 8) return new Response('<html>a proxy</html>');
    return attempt === 9 ? streamOf(['d']) : refusal(404, 'webhook_listener_not_found');
  });
  const ids: string[] = [];
  const reading = (async () => {
    for await (const { message_id: id, body } of outdial.webhookListeners.stream('l/1')) {
      ids.push(id);
      expect(body).toBe('{"a": 1}');
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'webhook_listener_not_found' });
  expect(ids).toEqual(['a', 'b', 'c', 'd']);
  expect(requests[0]?.url).toBe('https://outdial.test/api/v1/webhook-listeners/l%2F1/stream');
  expect(pauses.length).toBeGreaterThan(4);
});

it('a stream gives up after five minutes without an answer, and ends with the reason of an aborted signal', async () => {
  const away = sdkWith(() => Promise.reject(new TypeError('fetch failed')));
  await expect(away.outdial.webhookListeners.stream('l-1').next()).rejects.toMatchObject({ code: 'connection_failed' });
  expect(away.pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(300_000);
  const stop = new AbortController();
  const { outdial } = sdkWith(() => {
    stop.abort(new Error('enough'));
    return streamOf([]);
  });
  await expect(outdial.webhookListeners.stream('l-1', { signal: stop.signal }).next()).rejects.toThrow('enough');
});

it('a listener is created, reported to and deleted at its address', async () => {
  const created = { listener: { id: 'l-1' }, secret: 'whsec_a' };
  const { outdial, requests } = sdkWith(({ method, url }) =>
    method === 'POST' && url.endsWith('/webhook-listeners') ? json(201, created) : new Response(null, { status: 204 }),
  );
  expect(await outdial.webhookListeners.create({ events: ['call.ended'] })).toEqual(created);
  const result = { message_id: 'm-1', attempt: 2, status: null, error: 'timeout', duration_ms: 15_000 } as const;
  await outdial.webhookListeners.report('l-1', result);
  await outdial.webhookListeners.delete('l-1');
  expect(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    'POST /api/v1/webhook-listeners',
    'POST /api/v1/webhook-listeners/l-1/results',
    'DELETE /api/v1/webhook-listeners/l-1',
  ]);
  expect(await requests[1]?.json()).toEqual(result);
});

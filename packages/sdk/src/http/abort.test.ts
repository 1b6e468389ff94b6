import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Outdial } from '../outdial.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    collect();
    await setImmediate();
  }
}

/** Begins an event stream, and answers nothing else. */
let server: Server;
let outdial: Outdial;
let expire: () => void;
/** Times out when the test says so. */
function untilExpired(): Promise<void> {
  return new Promise((resolve) => (expire = resolve));
}

/** What a request or a read is rejected with. */
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

beforeEach(async () => {
  server = createServer(({ url }, response) => {
    if (url?.endsWith('/stream') === true) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('event: webhook\ndata: {}\n\n');
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const clock = { nowMs: () => 0, sleep: untilExpired };
  outdial = new Outdial({ apiKey: 'od_live_test', baseUrl: `http://127.0.0.1:${address.port}`, clock });
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('after garbage was collected', () => {
  it('a signal still ends a request, and its connection', async () => {
    const [abort, connected] = [new AbortController(), once(server, 'request')];
    const failing = failureOf(outdial.account.get({ signal: abort.signal }));
    const [request] = await connected;
    await collectGarbage();
    abort.abort(new Error('enough'));
    expect(await failing).toMatchObject({ message: 'enough' });
    if (!request.socket.destroyed) await once(request.socket, 'close');
  });

  it('a request still times out', async () => {
    const connected = once(server, 'request');
    const failing = failureOf(outdial.webhookListeners.create());
    await connected;
    await collectGarbage();
    expire();
    expect(await failing).toMatchObject({ code: 'timeout' });
  });

  it('a signal still ends a stream, and its connection', async () => {
    const [abort, connected] = [new AbortController(), once(server, 'request')];
    const stream = outdial.webhookListeners.stream('l-1', { signal: abort.signal });
    await stream.next();
    const [request] = await connected;
    const failing = failureOf(stream.next());
    await collectGarbage();
    abort.abort(new Error('enough'));
    expect(await failing).toMatchObject({ message: 'enough' });
    if (!request.socket.destroyed) await once(request.socket, 'close');
  });
});

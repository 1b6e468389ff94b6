import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createEgressFetch, envEgressAllow, type EgressFetch } from '@outdial/egress';
import { fakeClock } from '@outdial/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LanguageModelEvent } from '../language-model.ts';
import { openAiCompatibleModel } from './openai-compatible.ts';

const DONE = 'data: {"choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

let server: Server;
let egress: EgressFetch;
let connections: number;
/** Ends the streams that wait for it. */
let endStreams: (() => void)[];

beforeEach(async () => {
  [connections, endStreams] = [0, []];
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(DONE);
    endStreams.push(() => response.end());
  });
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  egress = createEgressFetch({ allowed: envEgressAllow.parse('127.0.0.0/8'), proxy: null });
});
afterEach(async () => {
  await egress.close();
  server.closeAllConnections();
  server.close();
});

function model(clock = fakeClock()) {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return openAiCompatibleModel({
    settings: { provider: 'openai', model: 'm', maxOutputTokens: 10 },
    credential: 'sk-test',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    fetch: egress.fetch('allow_list'),
    clock,
  });
}

function answerOf(answers: Pick<ReturnType<typeof model>, 'answer'>): Promise<LanguageModelEvent> {
  return new Promise((resolve) => {
    answers.answer({ instructions: '', conversation: [{ kind: 'callee', text: 'Hello?' }], tools: [] }, (event) => {
      if (event.kind === 'over' || event.kind === 'failed') resolve(event);
    });
  });
}

test('answers one after another use one connection, also when their streams end after the last event', async () => {
  const clock = fakeClock();
  const asked = model(clock);
  for (const _ of [1, 2, 3]) {
    expect(await answerOf(asked)).toMatchObject({ kind: 'over' });
    for (const end of endStreams.splice(0)) end();
    // The rest of the stream is read until then.
    await expect.poll(() => clock.pendingTimers()).toBe(0);
  }
  expect(connections).toBe(1);
});

test('a stream that does not end after its last event is closed after a second', async () => {
  const clock = fakeClock();
  const closed = new Promise((resolve) => server.once('request', (request) => request.socket.once('close', resolve)));
  expect(await answerOf(model(clock))).toMatchObject({ kind: 'over' });
  await expect.poll(() => clock.pendingTimers()).toBe(1);
  await clock.advance(1_000);
  await closed;
});

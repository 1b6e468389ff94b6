import { ManualClock } from '@outdial/testkit/async';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LIVE_SETTINGS } from '../../../test/openai-live-recording.ts';
import type { MindEvent } from '../../mind.ts';
import type { SocketListener } from '../../sockets.ts';
import { openOpenAiLiveMind } from './openai-live-mind.ts';

const command = z.looseObject({ event_id: z.string().optional() });

/** A mind whose provider, which is the test, has accepted the settings. */
function accepted() {
  const events: MindEvent[] = [];
  const ids: string[] = [];
  let provider: SocketListener | undefined;
  const mind = openOpenAiLiveMind({
    settings: LIVE_SETTINGS,
    credential: 'key',
    baseUrl: 'wss://api.openai.com/v1',
    clock: new ManualClock(),
    listener: (event) => events.push(event),
    openSocket(_address, listener) {
      provider = listener;
      return {
        send(data) {
          const { event_id: id } = command.parse(JSON.parse(String(data)));
          if (id !== undefined) ids.push(id);
        },
        close: () => undefined,
      };
    },
  });
  const receive = (message: object) => provider?.received(JSON.stringify(message));
  mind.openGate();
  mind.hear(new Uint8Array(160), 0);
  provider?.opened();
  receive({ type: 'session.started', session: {} });
  return { mind, events, ids, receive };
}

test.each([
  ['rate_limit_exceeded', { kind: 'rate_limited' }],
  ['context_too_long', { kind: 'unreachable', blamesRequest: true }],
])('a request that is refused with %s fails as an answer, and the session stays', (code, failure) => {
  const { mind, events, ids, receive } = accepted();
  mind.respond();
  const error = { type: 'invalid_request_error', code, message: 'No.', client_event_id: ids.at(-1) };
  receive({ type: 'error', error });
  const failed = events.find((event) => event.kind === 'answer_failed');
  expect(failed?.failure).toMatchObject(failure);
  if (code === 'rate_limit_exceeded') expect(failed?.failure.blamesRequest).toBeUndefined();
  mind.respond();
  expect(new Set(ids).size).toBe(2);
  expect(events.filter(({ kind }) => kind === 'failed')).toEqual([]);
  mind.close();
});

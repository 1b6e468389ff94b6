import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { PROVIDERS } from '@outdial/contracts';
import { createEgressClient, envEgressAllow, type EgressClient } from '@outdial/egress';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from './open-session.ts';
import { sessionRequestOf, type SessionRequest } from './session-request.ts';

let silent: Server;
let connections = 0;
let egress: EgressClient;
let request: SessionRequest;
const options = { scope: 'allow_list', timeoutMs: 50, clock: systemClock } as const;

beforeAll(async () => {
  silent = createServer((socket) => {
    connections += 1;
    socket.resume().on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const of = sessionRequestOf({ provider: 'xai', address: origin, apiKey: 'key', model: undefined });
  if (of === null) throw new Error('xAI has speech-to-speech models');
  request = of;
  egress = createEgressClient({ allowed: envEgressAllow.parse('127.0.0.0/8'), proxy: null });
});
afterAll(() => egress.close());

test('a session of an account’s credential leads to no private address', async () => {
  expect(await openSession(egress, request, { ...options, scope: 'internet' })).toBe('unreachable');
  expect(connections).toBe(0);
});

test('a session whose caller gives up is no finding', async () => {
  const gone = new AbortController();
  const opening = openSession(egress, request, { ...options, timeoutMs: 5_000, signal: gone.signal });
  gone.abort();
  await expect(opening).rejects.toMatchObject({ code: 'aborted' });
});

test('a session that a provider never answers, or that leads nowhere, is unreachable in time', async () => {
  expect(await openSession(egress, request, options)).toBe('unreachable');
  expect(connections).toBeGreaterThan(0);
  await new Promise((resolve) => silent.close(resolve));
  expect(await openSession(egress, request, { ...options, timeoutMs: 5_000 })).toBe('unreachable');
});

test('a provider without speech-to-speech models has no session', () => {
  const named = PROVIDERS.filter(
    (provider) =>
      sessionRequestOf({ provider, address: 'https://x', apiKey: 'key', model: 'a-realtime-live-model' }) !== null,
  );
  expect(named).toEqual(['openai', 'openai_live', 'google', 'azure', 'xai']);
});

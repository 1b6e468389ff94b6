import { randomUUID } from 'node:crypto';
import { accountIdSchema, apiKeyIdSchema } from '@outdial/contracts';
import { userIdSchema, type Session } from '@outdial/identity';
import { pause } from '@outdial/kernel';
import { fakeClock, type FakeClock } from '@outdial/testkit';
import { beforeEach, expect, it } from 'vitest';
import type { EventStream } from '../http/event-stream.ts';
import { ApiError } from '../http/api-error.ts';
import type { AccountPrincipal, Caller } from '../http/principal.ts';
import { createOpenStreams, type OpenStreams } from './open-streams.ts';

let clock: FakeClock;
let streams: OpenStreams;
let refused: Set<AccountPrincipal>;
let isAway: boolean;
let lookUpMs: number;
beforeEach(() => {
  clock = fakeClock();
  refused = new Set();
  isAway = false;
  lookUpMs = 0;
  streams = createOpenStreams({
    clock,
    maxPerCaller: 2,
    maxPerAccount: 3,
    async hasAccess(principal) {
      if (isAway) throw new Error('Postgres is unavailable');
      if (lookUpMs > 0) await pause(clock, lookUpMs);
      return !refused.has(principal);
    },
  });
});

const newAccount = () => ({
  id: accountIdSchema.parse(randomUUID()),
  name: 'Acme',
  currency: 'USD',
  enabled: true,
  mayUseSystemNumber: false,
  maxDurationSeconds: 60,
  ringTimeoutSeconds: 30,
  outboundNumbers: [],
  blockedPrefixes: [],
  policies: { policy: null, floor: null },
});

function newKey(): AccountPrincipal {
  const account = newAccount();
  const id = apiKeyIdSchema.parse(randomUUID());
  const unlimited = { scopes: ['outbound'], expiresAtMs: null, revokedAtMs: null, requestsPerSecond: null } as const;
  const key = { id, accountId: account.id, digest: new Uint8Array(32), ...unlimited };
  return { account, caller: { kind: 'api_key', key } };
}

function newSession(): Caller {
  const id = userIdSchema.parse(randomUUID());
  const user = { id, name: 'Sam', email: 'sam@example.com', isOperator: false, isEmailVerified: true };
  const session: Session = { id: randomUUID(), digest: randomUUID(), user, memberships: [] };
  return { kind: 'session', session };
}

/** Reads the stream as a client does, and returns whether it has ended. */
function read({ body }: EventStream) {
  const state = { isEnded: false };
  body.resume().once('end', () => (state.isEnded = true));
  return state;
}

it('a rejected key loses its streams within two seconds, and another key keeps its own', async () => {
  const [first, second] = [newKey(), newKey()] as const;
  const states = [first, first, second].map((key) => read(streams.open(key)));
  await clock.advance(60_000);
  expect(states.map(({ isEnded }) => isEnded)).toEqual([false, false, false]);
  refused.add(first);
  await clock.advance(2_000);
  expect(states.map(({ isEnded }) => isEnded)).toEqual([true, true, false]);
});

it('when a thousand keys are rejected at once, each loses its streams within three seconds', async () => {
  lookUpMs = 10;
  const keys = Array.from({ length: 1_000 }, newKey);
  const states = keys.map((key) => read(streams.open(key)));
  await clock.advance(1_500);
  for (const key of keys) refused.add(key);
  await clock.advance(3_000);
  expect(states.filter(({ isEnded }) => !isEnded)).toHaveLength(0);
});

it('a session that leaves one account keeps its streams in another', async () => {
  const caller = newSession();
  const left = { account: newAccount(), caller };
  const kept = { account: newAccount(), caller };
  const states = [left, kept].map((principal) => read(streams.open(principal)));
  refused.add(left);
  await clock.advance(2_000);
  expect(states.map(({ isEnded }) => isEnded)).toEqual([true, false]);
});

it('a key that cannot be looked up keeps its streams and is checked again', async () => {
  const key = newKey();
  const state = read(streams.open(key));
  isAway = true;
  refused.add(key);
  await clock.advance(60_000);
  expect(state.isEnded).toBe(false);
  isAway = false;
  await clock.advance(2_000);
  expect(state.isEnded).toBe(true);
});

it('a key holds at most its limit, and a closed stream frees a place', async () => {
  const key = newKey();
  const [stream] = [streams.open(key), streams.open(key)];
  expect(() => streams.open(key)).toThrow(ApiError);
  streams.open(newKey());
  stream.body.destroy();
  await clock.advance(0);
  streams.open(key);
  expect(() => streams.open(key)).toThrow(ApiError);
});

it('shutdown ends every stream, and a stream opened later at once', async () => {
  const before = read(streams.open(newKey()));
  streams.end();
  const after = read(streams.open(newKey()));
  await clock.advance(0);
  expect([before, after]).toEqual([{ isEnded: true }, { isEnded: true }]);
});

it('no check runs after the last stream is closed', async () => {
  const stream = streams.open(newKey());
  await clock.advance(5_000);
  stream.body.destroy();
  await clock.advance(5_000);
  expect(clock.pendingTimers()).toBe(0);
});

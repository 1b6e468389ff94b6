import { randomUUID } from 'node:crypto';
import type { KeyRecord } from '@outdial/calls';
import { accountIdSchema, apiKeyIdSchema, type ApiKeyId } from '@outdial/contracts';
import { fakeClock, type FakeClock } from '@outdial/testkit';
import { beforeEach, expect, it } from 'vitest';
import type { EventStream } from '../http/event-stream.ts';
import { ApiFault } from '../http/fault.ts';
import { createOpenStreams, type OpenStreams } from './open-streams.ts';

let clock: FakeClock;
let streams: OpenStreams;
let refused: Set<ApiKeyId>;
let isAway: boolean;
beforeEach(() => {
  clock = fakeClock();
  refused = new Set();
  isAway = false;
  streams = createOpenStreams({
    clock,
    maxPerKey: 2,
    async isAdmitted({ id }) {
      if (isAway) throw new Error('Postgres is away');
      return !refused.has(id);
    },
  });
});

const newKey = (): KeyRecord => ({
  id: apiKeyIdSchema.parse(randomUUID()),
  accountId: accountIdSchema.parse(randomUUID()),
  digest: new Uint8Array(32),
  scope: 'outbound',
  expiresAtMs: null,
  revokedAtMs: null,
  requestsPerSecond: null,
});

/** Reads the stream as a client does, and says whether it was ended. */
function read({ body }: EventStream) {
  const state = { isEnded: false };
  body.resume().once('end', () => (state.isEnded = true));
  return state;
}

it('a key that is refused loses its streams within two seconds, and another keeps its own', async () => {
  const [first, second] = [newKey(), newKey()];
  const states = [first, first, second].map((key) => read(streams.open(key)));
  await clock.advance(60_000);
  expect(states.map(({ isEnded }) => isEnded)).toEqual([false, false, false]);
  refused.add(first.id);
  await clock.advance(2_000);
  expect(states.map(({ isEnded }) => isEnded)).toEqual([true, true, false]);
});

it('nobody loses a stream because a key cannot be looked up; it is asked again', async () => {
  const key = newKey();
  const state = read(streams.open(key));
  isAway = true;
  refused.add(key.id);
  await clock.advance(60_000);
  expect(state.isEnded).toBe(false);
  isAway = false;
  await clock.advance(2_000);
  expect(state.isEnded).toBe(true);
});

it('a key holds no more than it may, and what is closed makes room', async () => {
  const key = newKey();
  const [stream] = [streams.open(key), streams.open(key)];
  expect(() => streams.open(key)).toThrow(ApiFault);
  streams.open(newKey());
  stream.body.destroy();
  await clock.advance(0);
  streams.open(key);
  expect(() => streams.open(key)).toThrow(ApiFault);
});

it('the end ends all of them, and those that come later at once', async () => {
  const before = read(streams.open(newKey()));
  streams.end();
  const after = read(streams.open(newKey()));
  await clock.advance(0);
  expect([before, after]).toEqual([{ isEnded: true }, { isEnded: true }]);
});

it('nothing goes on once the last stream is closed', async () => {
  const stream = streams.open(newKey());
  await clock.advance(5_000);
  stream.body.destroy();
  await clock.advance(5_000);
  expect(clock.pendingTimers()).toBe(0);
});

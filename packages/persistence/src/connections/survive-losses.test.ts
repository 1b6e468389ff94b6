import { systemClock } from '@outdial/kernel';
import { privatePostgres, type PrivateServer } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { CommitGuard } from './commit-guard.ts';
import { GuardedPool } from './guarded-pool.ts';
import { createPings } from './pings.ts';

const GUARD: CommitGuard = {
  doubt: () => undefined,
  abandoned: () => undefined,
  refusal: () => null,
  confirmed: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

const LOST = {
  status: 'rejected',
  reason: expect.objectContaining({ message: expect.stringMatching(/terminated|ECONNRESET/) }),
};

let server: PrivateServer;
beforeAll(async () => {
  server = await privatePostgres();
});
afterAll(() => server.close());
afterEach(() => server.start());

// An `error` event without a listener is an uncaught exception, which fails the whole run.
test('when Postgres is lost while a new connection is checked, the connection is rejected and the process survives', async () => {
  const pool = new GuardedPool({ config: { connectionString: server.url }, guard: GUARD, clock: systemClock });
  const paused = new Promise<void>((resolve) => pool.on('connect', () => void server.pause().then(resolve)));
  const connected = Promise.allSettled([pool.connect()]);
  await paused;
  await server.kill();
  expect(await connected).toEqual([LOST]);
  await pool.end();
});

test('when Postgres is lost during a ping, the ping rejects and the process survives', async () => {
  const onConnectionError = vi.fn<(error: Error) => void>();
  const config = { connectionString: server.url };
  const pings = createPings({ config, clock: systemClock, guard: GUARD, onConnectionError });
  await pings.ping();
  await server.pause();
  const pinged = Promise.allSettled([pings.ping()]);
  // The pool hands out its idle connection in the next tick. An earlier loss would be one of an idle connection.
  await new Promise(setImmediate);
  await server.kill();
  expect(await pinged).toEqual([LOST]);
  await pings.close();
  expect(onConnectionError).not.toHaveBeenCalled();
});

import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createLogger, invariant } from '@outdial/kernel';
import { fakeClock, type FakeClock } from '@outdial/testkit';
import { deferred } from '@outdial/testkit/async';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { defineDashboardContract, defineDashboardRoute, NO_BODY, NO_PARAMS, NO_QUERY } from './define-route.ts';
import { createServe } from './serve.ts';
import { createInFlightRequests } from './in-flight-requests.ts';
import type { AccessChecks } from './principal.ts';

const contract = defineDashboardContract({
  access: 'anybody',
  method: 'GET',
  path: '/api/dashboard/file',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: [],
});

const visitor = async () => ({ address: '', sessionToken: null });
const unused = () => Promise.reject(new Error('not used in this test'));

function serveAt(clock: FakeClock, anybody: AccessChecks['anybody'] = visitor) {
  return createServe({
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    accessChecks: { api_key: unused, anybody, user: unused, member: unused, owner: unused, operator: unused },
    isStoreUnavailable: () => false,
    inFlight: createInFlightRequests(),
    onRefused: () => undefined,
    isDraining: () => false,
  });
}

it.each([
  ['GET', 'repeating this request is safe'],
  ['POST', 'it may have been made'],
] as const)('a %s without an answer in time says whether it may have had an effect', async (method, words) => {
  const clock = fakeClock();
  const begun = deferred<void>();
  const route = defineDashboardRoute({ ...contract, method }, () => {
    begun.resolve();
    return new Promise(() => undefined);
  });
  const app = express().all(contract.path, serveAt(clock).route(route));
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'it listens on a port');
  const asked = fetch(`http://127.0.0.1:${address.port}${contract.path}`, { method });
  await begun.promise;
  await clock.advance(1_000);
  const answer = await asked;
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain(words);
});

it('a sender whose check does not end in time receives a 503, and the request is not made', async () => {
  const clock = fakeClock();
  const begun = deferred<void>();
  const hangs = () => {
    begun.resolve();
    return new Promise<never>(() => undefined);
  };
  const route = defineDashboardRoute(contract, () => Promise.reject(new Error('the request was made')));
  const server = createServer(express().get(contract.path, serveAt(clock, hangs).route(route))).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'it listens on a port');
  const asked = fetch(`http://127.0.0.1:${address.port}${contract.path}`);
  await begun.promise;
  await clock.advance(1_000);
  const answer = await asked;
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
});

it('a stream opened after the deadline of its answer is closed, because no client reads it', async () => {
  const clock = fakeClock();
  const steps = new EventEmitter();
  const begun = once(steps, 'begun');
  const file = new Readable({ read: () => undefined });
  const route = defineDashboardRoute(contract, async () => {
    const answered = once(steps, 'the store answers');
    steps.emit('begun');
    await answered;
    return { status: 200, headers: {}, stream: file };
  });
  const serve = serveAt(clock);
  const server = createServer(express().get(contract.path, serve.route(route))).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  invariant(address !== null && typeof address === 'object', 'it listens on a port');
  const asked = fetch(`http://127.0.0.1:${address.port}${contract.path}`);
  await begun;
  await clock.advance(1_000);
  expect((await asked).status).toBe(503);
  steps.emit('the store answers');
  await once(file, 'close');
  expect(file.readableEnded).toBe(false);
});

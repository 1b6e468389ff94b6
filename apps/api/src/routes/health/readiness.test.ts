import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { answerReadiness, createReadinessAnswer, type Readiness } from './handler.ts';
import { createReadinessCheck } from './readiness.ts';

const token = { generation: 1, walTimeline: '0000000A' };

interface Stores {
  readonly postgres: boolean;
  readonly gate: 'open' | 'closed' | 'away';
  readonly redisTakesWrites?: boolean;
  readonly timeline?: string;
}

const away = () => Promise.reject(new Error('away'));

function withStores(stores: Stores) {
  const { postgres, redisTakesWrites = stores.gate !== 'away', timeline = token.walTimeline } = stores;
  const requestRebuild = vi.fn<() => void>();
  const check = createReadinessCheck({
    database: {
      ping: () => (postgres ? Promise.resolve() : away()),
      walTimeline: () => (postgres ? Promise.resolve(timeline) : away()),
    },
    redis: { ping: () => (redisTakesWrites ? Promise.resolve() : away()) },
    gate: {
      async state() {
        if (stores.gate === 'away') throw new Error('away');
        return { open: stores.gate === 'open', token, slotsInUse: 0 };
      },
    },
    admission: { requestRebuild, isWarm: () => true },
  });
  return { check, requestRebuild };
}

const up = { postgres: 'up', redis: 'up', gate: 'open', timeline: 'current', warm: true };

it('reports whether each store answers, and is warm only if all do', async () => {
  expect(await withStores({ postgres: true, gate: 'open' }).check()).toEqual(up);
  const noPostgres = { ...up, postgres: 'away', timeline: 'unknown', warm: false };
  expect(await withStores({ postgres: false, gate: 'open' }).check()).toEqual(noPostgres);
  const noRedis = { ...up, redis: 'away', gate: 'unknown', timeline: 'unknown', warm: false };
  expect(await withStores({ postgres: true, gate: 'away' }).check()).toEqual(noRedis);
});

it('is not ready with a Redis that answers but rejects writes', async () => {
  const check = withStores({ postgres: true, gate: 'open', redisTakesWrites: false }).check();
  expect(await check).toEqual({ ...up, redis: 'away', warm: false });
  expect(answerReadiness(await check).status).toBe(503);
});

it.each([
  ['00000009', 'superseded', 503],
  ['0000000A', 'current', 200],
  ['00000010', 'current', 200],
])('compares the WAL timeline %s of its Postgres with that of the gate: %s', async (timeline, expected, status) => {
  const readiness = await withStores({ postgres: true, gate: 'open', timeline }).check();
  expect(readiness).toEqual({ ...up, timeline: expected });
  expect(answerReadiness(readiness).status).toBe(status);
});

it('requests the rebuild of a closed gate', async () => {
  const { check, requestRebuild } = withStores({ postgres: true, gate: 'closed' });
  expect(await check()).toMatchObject({ gate: 'closed', warm: false });
  expect(requestRebuild).toHaveBeenCalledOnce();
});

const request = (url: string) => Object.assign(new IncomingMessage(new Socket()), { url });
const answerTo = (url: string, isDraining = false) =>
  createReadinessAnswer({
    checkReadiness: withStores({ postgres: false, gate: 'away' }).check,
    isDraining: () => isDraining,
  })(request(url));

it('ignores stores that are away if it is asked to, until the process drains', async () => {
  expect(await answerTo('/readyz')).toMatchObject({ status: 503, body: { status: 'not_ready', postgres: 'away' } });
  expect(await answerTo('/readyz?stores=ignore&probe=1')).toEqual({ status: 200, body: { status: 'ready' } });
  for (const url of ['/readyz', '/readyz?stores=ignore'])
    expect(await answerTo(url, true)).toEqual({ status: 503, body: { status: 'draining' } });
});

it('is not ready for a load balancer while it warms up, and stays ready afterwards', async () => {
  const answers: Readiness[] = [];
  const answer = createReadinessAnswer({
    checkReadiness: async () => answers.shift() ?? Promise.reject(new Error('not asked again')),
    isDraining: () => false,
  });
  const ask = async () => answer(request('/readyz?stores=ignore'));
  const cold: Readiness = { postgres: 'up', redis: 'up', gate: 'open', timeline: 'current', warm: false };
  answers.push(cold, cold, { ...cold, warm: true });
  expect(await ask()).toEqual({ status: 503, body: { status: 'starting' } });
  expect(await ask()).toEqual({ status: 503, body: { status: 'starting' } });
  expect(await ask()).toEqual({ status: 200, body: { status: 'ready' } });
  expect(await ask()).toEqual({ status: 200, body: { status: 'ready' } });
});

it.each<Partial<Readiness>>([
  { postgres: 'away', timeline: 'unknown' },
  { redis: 'away', gate: 'unknown', timeline: 'unknown' },
  { gate: 'closed' },
  { timeline: 'superseded' },
])('is ready for a load balancer if it starts while %o, so that clients get the answer that says so', async (away) => {
  const cold: Readiness = { postgres: 'up', redis: 'up', gate: 'open', timeline: 'current', warm: false };
  const answers: Readiness[] = [{ ...cold, ...away }, cold];
  const answer = createReadinessAnswer({
    checkReadiness: async () => answers.shift() ?? cold,
    isDraining: () => false,
  });
  for (const moment of ['away', 'back'])
    expect([moment, (await answer(request('/readyz?stores=ignore'))).status]).toEqual([moment, 200]);
});

it.each(['?stores=', '?stores=all', '?stores=ignore&stores=ignore'])(
  'refuses %s, and says what it may be',
  async (query) => {
    await expect(answerTo(`/readyz${query}`)).rejects.toMatchObject({ code: 'invalid_request', param: 'stores' });
  },
);

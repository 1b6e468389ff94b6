import { setTimeout as sleep } from 'node:timers/promises';
import type { CallId } from '@outdial/contracts';
import type { NewCall } from '../load/client.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault, FaultContext } from './fault.ts';
import { PATIENCE_MS, until, untilEnded } from './observe.ts';
import { notDialedOnce, scheduledOf } from './scheduled-calls.ts';

const CALLS = 100;
const WARM_UP_CALLS = 20;
/** A machine that cannot keep up answers 503, with Redis or without. */
const AT_ONCE = 10;
const DUE_IN_MS = 8_000;
/** After the calls were due. */
const STILL_AWAY_MS = 3_000;
const POSTGRES_AWAY_MS = 10_000;
const ADMITTED_WITHIN_MS = 15_000;

/** Calls are scheduled and become due while Redis is down, which comes back empty; others become due while Postgres is. */
export const schedulesWithoutRedis: Fault = {
  name: 'schedules-without-redis',
  expectation: 'calls are scheduled while Redis is down; all are admitted and dialed once when the store is back',
  carrier: 'simulated',
  async run(context) {
    const { stack } = context;
    const redis = await withoutRedis(context);
    const postgres = await withoutPostgres(context);
    const wrong = await notDialedOnce(stack, [...redis.callIds, ...postgres.callIds]);
    return {
      injected: 2,
      hit: redis.due + postgres.callIds.length,
      recoveryMs: Math.max(redis.recoveryMs, postgres.recoveryMs),
      timings: [
        { what: 'all admitted when Redis is back', tookMs: redis.recoveryMs, promisedMs: ADMITTED_WITHIN_MS },
        { what: 'all admitted when Postgres is back', tookMs: postgres.recoveryMs, promisedMs: ADMITTED_WITHIN_MS },
      ],
      violations: [...redis.violations, ...wrong],
    };
  },
};

async function withoutRedis({ stack, clients, say }: FaultContext) {
  const account = await stack.account();
  // An API that has just started is slow: it would answer 503 for that.
  await untilEnded(stack, await clients.placeMany(account, WARM_UP_CALLS, () => ({ toNumber: stack.number('busy') })));
  const before = clients.promises.all().length;
  await stack.redisServer.kill();
  const dueMs = Date.now() + DUE_IN_MS;
  const callIds: CallId[] = [];
  while (callIds.length < CALLS) {
    callIds.push(...(await clients.placeMany(account, AT_ONCE, () => scheduledCall(stack, dueMs))));
  }
  const asked = clients.promises.all().slice(before);
  const atOnce = asked.filter(({ attempts }) => attempts.length === 1).length;
  say(`scheduled without Redis at the first try: ${atOnce} of ${CALLS}`);
  await sleep(dueMs + STILL_AWAY_MS - Date.now());
  const due = (await scheduledOf(stack, callIds)).filter(({ status }) => status === 'scheduled').length;
  await stack.redisServer.start();
  await until('Redis has lost everything', PATIENCE_MS, async () => (await stack.redis.flushall()) === 'OK');
  return {
    callIds,
    due,
    recoveryMs: await untilAdmitted(stack, callIds),
    violations: due === CALLS ? [] : [`${CALLS - due} calls were admitted without Redis`],
  };
}

async function withoutPostgres({ stack, clients }: FaultContext) {
  const account = await stack.account();
  const dueMs = Date.now() + DUE_IN_MS;
  const callIds = await clients.placeMany(account, CALLS, () => scheduledCall(stack, dueMs));
  await sleep(dueMs - POSTGRES_AWAY_MS / 2 - Date.now());
  await stack.postgresServer.kill();
  await sleep(POSTGRES_AWAY_MS);
  await stack.postgresServer.start();
  return { callIds, recoveryMs: await untilAdmitted(stack, callIds) };
}

function scheduledCall(stack: Stack, dueMs: number): NewCall {
  return { toNumber: stack.number('impatient'), scheduledFor: new Date(dueMs) };
}

function untilAdmitted(stack: Stack, callIds: readonly CallId[]): Promise<number> {
  return until('all calls were admitted', PATIENCE_MS, async () =>
    (await scheduledOf(stack, callIds)).every(({ queuedAtMs }) => queuedAtMs !== null),
  );
}

import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { endCall } from '../load/client.ts';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault, FaultContext } from './fault.ts';
import { callsOf, countIn, first, isGateOpen, until, untilStatus, PATIENCE_MS } from './observe.ts';
import { startReplica } from './start-replica.ts';

const CAPACITY = 40;
const BEFORE = 15;

/** Redis restarts with older data; then an old copy takes over, and then the first server again. */
export const redisStale: Fault = {
  name: 'redis-stale',
  expectation: 'the gate is rebuilt; capacity holds',
  carrier: 'simulated',
  async run(context) {
    const { stack } = context;
    const account = await stack.account({ capacity: CAPACITY });
    await fill(context, account, BEFORE);
    const old = await keepAppendOnlyFile(stack);
    await fill(context, account, CAPACITY - BEFORE);
    const hit = await countIn(stack, account, 'in_progress');
    await stack.redisServer.kill();
    await old.putBack();
    await stack.redisServer.start();
    const restartedMs = await reopened(context, account);

    await endSome(stack, account, BEFORE);
    const copy = await startCopy(stack);
    try {
      await fill(context, account, BEFORE);
      stack.moveToRedis(copy.url);
      const failedOverMs = await reopened(context, account);
      await endSome(stack, account, BEFORE);
      stack.moveToRedis(stack.redisServer.url);
      const failedBackMs = await reopened(context, account);
      const recoveryMs = Math.max(restartedMs, failedOverMs, failedBackMs);
      await endSome(stack, account, CAPACITY);
      return {
        injected: 3,
        hit,
        recoveryMs,
        timings: [{ what: 'the gate open again', tookMs: recoveryMs, promisedMs: 15_000 }],
      };
    } finally {
      stack.moveToRedis(stack.redisServer.url);
      await copy.close();
    }
  },
};

async function fill({ stack, clients }: FaultContext, account: Account, count: number): Promise<void> {
  const live = await countIn(stack, account, 'in_progress');
  await clients.placeMany(account, count, () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 900 }));
  await untilStatus(stack, account, 'in_progress', live + count);
}

async function endSome(stack: Stack, account: Account, count: number): Promise<void> {
  const live = (await callsOf(stack, account)).filter(({ status }) => status !== 'ended').slice(0, count);
  await Promise.all(live.map(({ id }) => endCall(first(stack.apis), account, id)));
  await until('they have ended', PATIENCE_MS, async () => {
    const open = new Set(
      (await callsOf(stack, account)).filter(({ status }) => status !== 'ended').map(({ id }) => id),
    );
    return live.every(({ id }) => !open.has(id));
  });
}

/** Sends more requests than there is room for: a decision on stale data would reserve too much. */
async function reopened({ stack, clients }: FaultContext, account: Account): Promise<number> {
  const call = { toNumber: stack.number('silent'), maxDurationSeconds: 900 };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: CAPACITY * 2 }, () => clients.placeWithRetries(account, call)));
  await until('the gate is open', PATIENCE_MS, () => isGateOpen(stack));
  return performance.now() - startedMs;
}

async function keepAppendOnlyFile(stack: Stack) {
  const [, dir] = z.tuple([z.string(), z.string()]).parse(await stack.redis.config('GET', 'dir'));
  const files = join(dir, 'appendonlydir');
  const kept = join(stack.logDir, 'appendonlydir-of-before');
  await cp(files, kept, { recursive: true });
  return {
    async putBack() {
      await rm(files, { recursive: true, force: true });
      await cp(kept, files, { recursive: true });
    },
  };
}

/** A replica that was promoted unnoticed: from then on it misses every write. */
async function startCopy(stack: Stack) {
  const replica = await startReplica(stack);
  await replica.promote();
  return replica;
}

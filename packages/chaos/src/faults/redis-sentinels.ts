import { setTimeout as sleep } from 'node:timers/promises';
import { invariant } from '@outdial/kernel';
import type { PrivateSentinels, PrivateServer } from '@outdial/testkit';
import { connectTo, SENTINEL_DOWN_AFTER_MS, type RedisKind } from '../stack/redis-kinds.ts';
import type { Stack } from '../stack/stack.ts';
import { runFailovers } from './failover.ts';
import type { Fault } from './fault.ts';
import { PATIENCE_MS, until } from './observe.ts';

/** How far the replica is behind when it becomes the primary. */
const BEHIND_MS = 2_000;
/** Beyond the time after which the Sentinels call the primary down: their vote, our reconnect, the rebuild of the gate. */
const AFTER_DOWN_MS = 3_000;
const PLANNED_MS = 1_500;
/** Jobs of a replica in step. */
const MOST_REQUEUED = 50;

/** The primary is killed while its replica is behind: what it had accepted in that time is lost with it. */
export const redisSentinelKilled: Fault = {
  name: 'redis-sentinel-killed',
  expectation: 'the Sentinels name another primary, and every process finds it; what Redis lost is made again',
  carrier: 'simulated',
  redisKind: 'sentinels',
  async run(context) {
    const group = groupOf(context.stack);
    const { primary, replica } = await rolesIn(group);
    return runFailovers(context, (account) => [
      {
        account,
        async strike() {
          await replica.pause();
          await sleep(BEHIND_MS);
          await primary.kill();
          await replica.resume();
        },
        isOver: async () => (await group.primary()) === replica,
        promisedMs: SENTINEL_DOWN_AFTER_MS + AFTER_DOWN_MS,
      },
    ]);
  },
};

/** The primary is killed while its replica is in step: next to nothing is lost with it. */
export const redisSentinelKilledInStep = killedInStep('redis-sentinel-killed-in-step', 'sentinels');

/** The processes know HAProxy alone, which leads to the primary. */
export const redisBehindHaproxy = killedInStep('redis-behind-haproxy', 'behind-haproxy');

function killedInStep(name: string, redisKind: RedisKind): Fault {
  return {
    name,
    expectation: 'the Sentinels name another primary, and every process finds it; nearly no job is lost',
    carrier: 'simulated',
    redisKind,
    async run(context) {
      const group = groupOf(context.stack);
      const { primary, replica } = await rolesIn(group);
      return runFailovers(context, (account) => [
        {
          account,
          strike: () => primary.kill(),
          isOver: async () => (await group.primary()) === replica,
          promisedMs: SENTINEL_DOWN_AFTER_MS + AFTER_DOWN_MS,
          mayRequeue: MOST_REQUEUED,
        },
      ]);
    },
  };
}

/** An operator moves the primary, and back. Connections to the old one stay open, and it still accepts writes. */
export const redisSentinelPlanned: Fault = {
  name: 'redis-sentinel-planned',
  expectation: 'every process leaves the old primary at once, before the Sentinels demote it',
  carrier: 'simulated',
  redisKind: 'sentinels',
  async run(context) {
    const group = groupOf(context.stack);
    const { replica } = await rolesIn(group);
    return runFailovers(context, (account) => [
      {
        account,
        strike: () => group.failOver(),
        isOver: async () => (await group.primary()) === replica,
        promisedMs: PLANNED_MS,
        mayRequeue: MOST_REQUEUED,
      },
    ]);
  },
};

function groupOf({ sentinels }: Stack): PrivateSentinels {
  invariant(sentinels !== undefined, 'this stack has Sentinels');
  return sentinels;
}

/** Resolves once the replica follows the primary: after a failover the old primary still has to come back. */
async function rolesIn(
  group: PrivateSentinels,
): Promise<{ readonly primary: PrivateServer; readonly replica: PrivateServer }> {
  const primary = await group.primary();
  const replica = group.nodes.find((node) => node !== primary);
  invariant(replica !== undefined, 'a group has a replica');
  const redis = connectTo(replica.url);
  try {
    await until('the replica follows the primary', PATIENCE_MS, async () => {
      const info = await redis.info('replication');
      return info.includes(`master_port:${new URL(primary.url).port}\r`) && info.includes('master_link_status:up');
    });
  } finally {
    redis.disconnect();
  }
  return { primary, replica };
}

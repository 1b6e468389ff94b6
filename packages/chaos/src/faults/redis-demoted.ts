import { Redis } from 'ioredis';
import { endCall } from '../load/client.ts';
import type { Account } from '../stack/account.ts';
import type { Fault, FaultContext } from './fault.ts';
import { callsOf, countIn, first, untilStatus } from './observe.ts';
import { runOutage, type OutageFindings } from './outage.ts';
import { startReplica, untilInSync, type Replica } from './start-replica.ts';

const LIVE_CALLS = 20;
/** How long the address still leads to the demoted server. */
const STALE_ADDRESS_MS = 3_000;
/** Once the address leads to the new primary. */
const RECOVERS_WITHIN_MS = 3_000;

/**
 * A planned failover of a managed Redis: connections stay open to the server that is now a replica. Later it is
 * reversed.
 */
export const redisDemoted: Fault = {
  name: 'redis-demoted',
  expectation: 'not ready within seconds, then every process finds the new primary without a restart',
  carrier: 'simulated',
  async run(context) {
    const { stack, clients } = context;
    const account = await stack.account();
    await clients.placeMany(account, LIVE_CALLS, () => ({ toNumber: stack.number('silent'), maxDurationSeconds: 600 }));
    await untilStatus(stack, account, 'in_progress', LIVE_CALLS);
    const hit = await countIn(stack, account, 'in_progress');
    const replica = await startReplica(stack);
    const home = new Redis(stack.redisServer.url);
    const other = new Redis(replica.url);
    try {
      const away = await failOver(context, account, { from: home, to: replica.url, promote: () => replica.promote() });
      await follow(home, replica);
      const back = await failOver(context, account, {
        from: other,
        to: stack.redisServer.url,
        promote: async () => void (await home.replicaof('NO', 'ONE')),
      });
      const stillLive = await countIn(stack, account, 'in_progress');
      for (const { id } of await callsOf(stack, account)) await endCall(first(stack.apis), account, id);
      return {
        injected: 2,
        hit,
        recoveryMs: Math.max(away.recoveryMs, back.recoveryMs),
        timings: [...away.timings, ...back.timings],
        violations: [
          ...away.violations,
          ...back.violations,
          ...(stillLive < hit ? [`${hit - stillLive} live calls were lost`] : []),
        ],
      };
    } finally {
      await home.replicaof('NO', 'ONE');
      home.disconnect();
      other.disconnect();
      stack.moveToRedis(stack.redisServer.url);
      await replica.close();
    }
  },
};

interface Failover {
  readonly from: Redis;
  readonly to: string;
  readonly promote: () => Promise<void>;
}

async function failOver(
  context: FaultContext,
  account: Account,
  { from, to, promote }: Failover,
): Promise<OutageFindings> {
  const { hostname, port } = new URL(to);
  return runOutage(context, {
    store: 'Redis',
    account,
    async strike() {
      await promote();
      await from.replicaof(hostname, port);
    },
    forMs: STALE_ADDRESS_MS,
    recoversWithinMs: RECOVERS_WITHIN_MS,
    // Connections to the old server are not cut: each process has to drop its own.
    recover: async () => context.stack.pointToRedis(to),
  });
}

/** The old primary follows the new one and has replicated everything. */
async function follow(old: Redis, { url }: Replica): Promise<void> {
  const { hostname, port, password } = new URL(url);
  await old.config('SET', 'masterauth', password);
  await old.replicaof(hostname, port);
  await untilInSync(old);
}

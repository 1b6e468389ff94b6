import type { ActionKind } from '../profile.ts';
import { processesOf } from '../world/create-world.ts';
import type { RedisCluster } from '../stores/redis-cluster.ts';
import type { World } from '../world/world.ts';
import { rest, type Act } from './action.ts';

/** Faults of the stores, and operators' settings in them. */
export const STORE_ACTS = {
  redis_cut: ({ wire }) => void wire.down.add('redis'),
  redis_heal: ({ wire }) => void wire.down.delete('redis'),
  redis_flush: (world) => losing(world, ({ main }) => main.flush()),
  redis_save: ({ redis }) => redis.save(),
  redis_restart: (world, pick) => losing(world, (redis) => redis.restart(pick % 3 === 0)),
  redis_failover(world, pick) {
    const names = processesOf(world).map(({ name }) => name);
    const leftBehind = names.filter((_, index) => Math.floor(rest(pick) / 2 ** index) % 2 === 1);
    return losing(world, (redis) => redis.failOver(leftBehind));
  },
  redis_failback: (world) => losing(world, (redis) => redis.failBack()),
  redis_reunite: ({ redis }) => redis.reunite(),
  postgres_stop: ({ wire }) => void wire.down.add('postgres'),
  async postgres_start({ wire, postgres }) {
    if (wire.down.delete('postgres')) await postgres.restart();
  },
  postgres_failover: ({ postgres }) => postgres.failOver(),
  postgres_replicate: ({ postgres }) => postgres.replicate(),
  async postgres_lose({ postgres, campaigns }) {
    await postgres.failOverWithLoss();
    await campaigns.watch.refresh();
  },
  pause: ({ postgres }) => postgres.pauseDialling(true),
  resume: ({ postgres }) => postgres.pauseDialling(false),
} satisfies Partial<Record<ActionKind, Act>>;

/** Redis may come back without what it knew about waiting accounts. */
async function losing({ redis, shares }: World, act: (redis: RedisCluster) => Promise<void>): Promise<void> {
  await act(redis);
  shares.forget();
}

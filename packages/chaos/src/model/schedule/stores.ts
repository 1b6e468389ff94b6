import type { ActionKind } from '../profile.ts';
import { processesOf } from '../world/create-world.ts';
import { rest, type Act } from './action.ts';

/** Faults of the stores, and operators' settings in them. */
export const STORE_ACTS = {
  redis_cut: ({ wire }) => void wire.down.add('redis'),
  redis_heal: ({ wire }) => void wire.down.delete('redis'),
  redis_flush: ({ redis }) => redis.main.flush(),
  redis_save: ({ redis }) => redis.save(),
  redis_restart: ({ redis }, pick) => redis.restart(pick % 3 === 0),
  redis_failover(world, pick) {
    const names = processesOf(world).map(({ name }) => name);
    return world.redis.failOver(names.filter((_, index) => Math.floor(rest(pick) / 2 ** index) % 2 === 1));
  },
  redis_failback: ({ redis }) => redis.failBack(),
  redis_reunite: ({ redis }) => redis.reunite(),
  postgres_stop: ({ wire }) => void wire.down.add('postgres'),
  async postgres_start({ wire, postgres }) {
    if (wire.down.delete('postgres')) await postgres.restart();
  },
  postgres_failover: ({ postgres }) => postgres.failOver(),
  postgres_replicate: ({ postgres }) => postgres.replicate(),
  postgres_lose: ({ postgres }) => postgres.failOverWithLoss(),
  pause: ({ postgres }) => postgres.pauseDialling(true),
  resume: ({ postgres }) => postgres.pauseDialling(false),
} satisfies Partial<Record<ActionKind, Act>>;

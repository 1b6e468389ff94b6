import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import { killService } from './observe.ts';

const SHORT_MS = { least: 500, most: 8_000 } as const;

/** Something that goes wrong, and ends by itself or with `stack.restore`. */
export interface Mishap {
  readonly name: string;
  strike(stack: Stack, random: Random): Promise<void>;
}

/** All but the last of each kind, which lasts the whole soak. */
function mortal(services: readonly Service[], random: Random): Service {
  return random.pick(services.slice(0, -1));
}

const briefly = (random: Random) => sleep(random.integer(SHORT_MS.least, SHORT_MS.most));

const everybody = (stack: Stack) => [...stack.apis, ...stack.workers];

export const MISHAPS: readonly Mishap[] = [
  { name: 'an API is killed', strike: (stack, random) => killService(stack, mortal(stack.apis, random)) },
  { name: 'a worker is killed', strike: (stack, random) => killService(stack, mortal(stack.workers, random)) },
  {
    name: 'a worker is asked to stop',
    async strike(stack, random) {
      await mortal(stack.workers, random).stop();
    },
  },
  {
    name: 'a process is stopped for a while',
    async strike(stack, random) {
      const service = random.pick([...stack.apis, ...stack.workers.slice(0, -1)]);
      service.pause();
      await briefly(random);
      service.resume();
    },
  },
  {
    name: 'Redis is flushed',
    async strike({ redis }) {
      await redis.flushall();
    },
  },
  {
    name: 'Redis hangs',
    async strike({ redisServer }, random) {
      await redisServer.pause();
      await briefly(random);
      await redisServer.resume();
    },
  },
  {
    name: 'Redis is killed',
    async strike({ redisServer }, random) {
      await redisServer.kill();
      await briefly(random);
      await redisServer.start();
    },
  },
  {
    name: 'Postgres hangs',
    async strike({ postgresServer }, random) {
      await postgresServer.pause();
      await briefly(random);
      await postgresServer.resume();
    },
  },
  {
    name: 'Postgres loses its connections',
    async strike(stack) {
      await stack.sql(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    },
  },
  {
    name: 'the wires are slow',
    async strike(stack, random) {
      for (const { redisWire, databaseWire } of everybody(stack)) {
        redisWire.delay(random.integer(0, 150));
        databaseWire.delay(random.integer(0, 150));
      }
      await briefly(random);
    },
  },
  {
    name: 'one process loses its connection to a store',
    async strike(stack, random) {
      const { redisWire, databaseWire } = random.pick(everybody(stack));
      const wire = random.pick([redisWire, databaseWire]);
      if (random.unit() < 0.5) wire.silence();
      else wire.refuse();
      await briefly(random);
    },
  },
  { name: 'every connection is reset', strike: async (stack) => everybody(stack).forEach(cutWires) },
];

function cutWires({ redisWire, databaseWire }: Service): void {
  redisWire.cut();
  databaseWire.cut();
}

import { envInteger, parseEnv } from '@outdial/kernel';
import { z } from 'zod';

const spec = {
  REDIS_URL: { schema: z.string(), description: 'The Redis that subject and control share.' },
  DATABASE_URL: { schema: z.string(), description: 'The control’s own database.' },
  PORT: { schema: envInteger({ min: 1, max: 65_535 }).default(3_999), description: 'Port of the control.' },
  POOL_SIZE: {
    schema: envInteger({ min: 1, max: 200 }),
    description: 'Postgres connections, the same as the subject’s.',
  },
  CONCURRENCY: {
    schema: envInteger({ min: 1, max: 10_000 }),
    description: 'Jobs at a time, the same as the subject’s.',
  },
  HOLD_MICROS: { schema: envInteger({ min: 0, max: 1_000_000_000 }), description: 'The hold of one call.' },
  CAPACITY: { schema: envInteger({ min: 1, max: 10_000_000 }), description: 'The account’s capacity.' },
  CALLER_NUMBER: { schema: z.string(), description: 'The number that calls are placed from.' },
};

export function controlEnv() {
  const env = parseEnv(spec, process.env);
  return {
    redisUrl: env.REDIS_URL,
    databaseUrl: env.DATABASE_URL,
    port: env.PORT,
    poolSize: env.POOL_SIZE,
    concurrency: env.CONCURRENCY,
    holdMicros: env.HOLD_MICROS,
    capacity: env.CAPACITY,
    callerNumber: env.CALLER_NUMBER,
  };
}

export type ControlEnv = ReturnType<typeof controlEnv>;

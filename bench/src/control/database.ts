import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@outdial/persistence';
import type { ControlEnv } from './env.ts';

/** Prisma's typed client with the subject's pool size. */
export function openControlDatabase(env: Pick<ControlEnv, 'databaseUrl' | 'poolSize'>): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: env.databaseUrl, max: env.poolSize }) });
}

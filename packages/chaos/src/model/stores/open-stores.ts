import { randomUUID } from 'node:crypto';
import { applyMigrations } from '@outdial/migrations';
import { Client } from 'pg';
import type { StoreUrls } from '../world/world.ts';

/** Servers that a model may use freely. */
export interface Servers {
  /** Without a database number. */
  readonly redisUrl: string;
  /** Migrated, and without connections. */
  readonly databaseUrl: string;
}

/**
 * Creates a migrated database on these servers and takes two Redis databases; `pair` keeps several models apart.
 *
 * @param migrationsDir has the migrations; without it the database is a copy of the servers' own.
 */
export async function openStores(
  { redisUrl, databaseUrl }: Servers,
  pair: number,
  migrationsDir?: string,
): Promise<StoreUrls> {
  const url = new URL(databaseUrl);
  const template = migrationsDir === undefined ? ` TEMPLATE "${url.pathname.slice(1)}"` : '';
  // Postgres copies no database that others are connected to.
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  url.pathname = `/model_${randomUUID().replaceAll('-', '')}`;
  try {
    await client.query(`CREATE DATABASE ${url.pathname.slice(1)}${template}`);
  } finally {
    await client.end();
  }
  if (migrationsDir !== undefined) await applyMigrations({ databaseUrl: url.href, migrationsDir });
  return {
    databaseUrl: url.href,
    redisUrl: withNumber(redisUrl, pair * 2),
    otherRedisUrl: withNumber(redisUrl, pair * 2 + 1),
  };
}

function withNumber(redisUrl: string, number: number): string {
  const url = new URL(redisUrl);
  url.pathname = `/${number}`;
  return url.href;
}

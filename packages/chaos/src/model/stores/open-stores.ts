import { randomUUID } from 'node:crypto';
import { applyMigrations } from '@outdial/migrations';
import { Client } from 'pg';
import type { StoreUrls } from '../world/world.ts';

/** Servers on which a model may do what it likes. */
export interface Servers {
  /** Without a database's number. */
  readonly redisUrl: string;
  readonly databaseUrl: string;
}

/** A database of its own on these servers, migrated, and two of Redis's; `pair` keeps those of several models apart. */
export async function openStores({ redisUrl, databaseUrl }: Servers, pair: number): Promise<StoreUrls> {
  const url = new URL(databaseUrl);
  url.pathname = `/model_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${url.pathname.slice(1)}`);
  } finally {
    await client.end();
  }
  await applyMigrations({ databaseUrl: url.href });
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

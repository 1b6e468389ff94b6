import { randomUUID } from 'node:crypto';
import { applyMigrations } from '@outdial/migrations';
import { Client } from 'pg';
import type { StoreUrls } from '../world/world.ts';

/** Servers that a model may use freely. */
export interface Servers {
  /** Without a database number. */
  readonly redisUrl: string;
  readonly databaseUrl: string;
}

/** Creates a migrated database on these servers and takes two Redis databases; `pair` keeps several models apart. */
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

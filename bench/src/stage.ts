import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores, removeDataFolder } from '@outdial/local-stores';
import { applyMigrations } from '@outdial/migrations';
import { Redis } from 'ioredis';
import { Client, type QueryResultRow } from 'pg';

/** Where subject and control run: one Redis and one Postgres for both, with a database each, removed afterwards. */
export interface Stage {
  readonly subject: StageStores;
  readonly control: StageStores;
  close(): Promise<void>;
}

export interface StageStores {
  readonly redisUrl: string;
  readonly databaseUrl: string;
}

/** The stores keep what they commit (fsync on): figures without it would not apply to a real installation. */
export async function openStage(announce: (text: string) => void): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outdial-bench-'));
  // When run as root, Postgres works below it under another account and must be able to traverse it.
  await chmod(dataDir, 0o711);
  const undo: (() => Promise<void>)[] = [() => removeDataFolder(dataDir)];
  const close = once(async () => {
    for (const step of undo.toReversed()) await step();
  });
  // A million calls are gigabytes, which an interrupted run must not leave behind.
  const abandon = () => void close().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abandon);
  try {
    const stores = await openStores({ dataDir, profile: 'durable', announce });
    undo.push(() => stores.close());
    const { redisUrl } = stores;
    const subject = { redisUrl, databaseUrl: await makeDatabase(stores.databaseUrl, 'bench_subject') };
    const control = { redisUrl, databaseUrl: await makeDatabase(stores.databaseUrl, 'bench_control') };
    return { subject, control, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

async function makeDatabase(databaseUrl: string, name: string): Promise<string> {
  await query(databaseUrl, `CREATE DATABASE ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await applyMigrations({ databaseUrl: url.href });
  return url.href;
}

export async function query<Row extends QueryResultRow>(
  databaseUrl: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

export async function withRedis<Result>(redisUrl: string, use: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(redisUrl);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

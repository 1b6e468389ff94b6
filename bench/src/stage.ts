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

export interface StageServers {
  readonly redisUrl: string;
  /** Of a database for administration. */
  readonly databaseUrl: string;
  /** Does this as well when they close. */
  defer(step: () => Promise<void>): void;
  close(): Promise<void>;
}

/** The stores keep what they commit (fsync on): figures without it would not apply to a real installation. */
export async function openStage(announce: (text: string) => void): Promise<Stage> {
  const servers = await openServers(announce);
  const { redisUrl, databaseUrl } = servers;
  const close = () => servers.close();
  try {
    const subject = { redisUrl, databaseUrl: await makeDatabase(databaseUrl, 'bench_subject') };
    const control = { redisUrl, databaseUrl: await makeDatabase(databaseUrl, 'bench_control') };
    return { subject, control, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One Redis and one Postgres, without databases. An interrupted run closes them as well. */
export async function openServers(announce: (text: string) => void): Promise<StageServers> {
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
    const { redisUrl, databaseUrl } = stores;
    return { redisUrl, databaseUrl, defer: (step) => void undo.push(step), close };
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
  const url = await makeEmptyDatabase(databaseUrl, name);
  await applyMigrations({ databaseUrl: url });
  return url;
}

/** @returns its URL. */
export async function makeEmptyDatabase(databaseUrl: string, name: string): Promise<string> {
  await query(databaseUrl, `CREATE DATABASE ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A database with what the subject's has. Nothing may be connected to the subject's. @returns its URL */
export async function copyOfSubject({ subject, control }: Stage, name: string): Promise<string> {
  const url = new URL(subject.databaseUrl);
  await query(control.databaseUrl, `CREATE DATABASE ${name} TEMPLATE ${url.pathname.slice(1)}`);
  url.pathname = `/${name}`;
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

import { randomUUID } from 'node:crypto';

import { postgresHosts } from '@outdial/postgres-hosts';
import type { Client } from 'pg';

/** Runs `work` with the URL of an empty database on the same server, and drops it afterwards. */
export async function withScratchDatabase<T>(databaseUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `outdial_scratch_${randomUUID().replaceAll('-', '')}`;
  await withClient(databaseUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  try {
    return await work(withName(databaseUrl, name));
  } finally {
    await withClient(databaseUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
}

/** Not by `URL`, which knows no list of hosts. */
function withName(databaseUrl: string, name: string): string {
  return databaseUrl.replace(/^([a-z]+:\/\/[^/?#]*)[^?#]*/i, `$1/${name}`);
}

export async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = postgresHosts(databaseUrl).client();
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

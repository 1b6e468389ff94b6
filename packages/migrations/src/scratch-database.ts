import { randomUUID } from 'node:crypto';

import { Client } from 'pg';

/** Runs `work` with the URL of an empty database on the same server, and drops it afterwards. */
export async function withScratchDatabase<T>(databaseUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `outdial_scratch_${randomUUID().replaceAll('-', '')}`;
  await withClient(databaseUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  try {
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    return await work(url.href);
  } finally {
    await withClient(databaseUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
}

export async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

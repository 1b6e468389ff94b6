import { Client } from 'pg';

/** The same server and role with another database. */
export function withDatabaseName(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function createDatabase(databaseUrl: string, name: string, template?: string): Promise<void> {
  await runStatement(
    databaseUrl,
    `CREATE DATABASE "${name}"${template === undefined ? '' : ` TEMPLATE "${template}"`}`,
  );
}

/** Drops it even while connections are open: a connection that a test leaks must not fail the end of the run. */
export async function dropDatabase(databaseUrl: string, name: string): Promise<void> {
  await runStatement(databaseUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

async function runStatement(databaseUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end().catch(() => {});
  }
}

import { Client } from 'pg';

/** The same server and role with another database. */
export function withDatabaseName(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function createDatabase(databaseUrl: string, name: string, template?: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `CREATE DATABASE "${name}"${template === undefined ? '' : ` TEMPLATE "${template}"${await copyStrategy(client)}`}`,
    );
  });
}

/**
 * Copying the files takes a third to two thirds of the processor time of the default, which writes every page to the
 * log. Older versions know no other way, and no name for it.
 */
async function copyStrategy(client: Client): Promise<string> {
  const { rows } = await client.query<{ readonly named: boolean }>(
    "SELECT current_setting('server_version_num')::int >= 150000 AS named",
  );
  return rows[0]?.named === true ? ' STRATEGY FILE_COPY' : '';
}

/** Drops it even while connections are open: a connection that a test leaks must not fail the end of the run. */
export async function dropDatabase(databaseUrl: string, name: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  });
}

async function withClient(databaseUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

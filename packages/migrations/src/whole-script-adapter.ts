import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';

/**
 * Prisma's adapter, except that a script is sent as it stands.
 *
 * The original cuts a script at every semicolon, which breaks function bodies, strings and comments that hold one. Sent
 * whole in one message, a script is also one transaction: a migration that fails leaves nothing behind.
 */
export function wholeScriptAdapter(pool: Pool): SqlMigrationAwareDriverAdapterFactory {
  const original = new PrismaPg(pool);
  return {
    provider: original.provider,
    adapterName: original.adapterName,
    connect: async () => sendingScriptsWhole(await original.connect()),
    connectToShadowDb() {
      // The original connects to the connection string's own database in the shadow's place.
      throw new Error('Migrations here work without a shadow database.');
    },
  };
}

function sendingScriptsWhole(adapter: SqlDriverAdapter): SqlDriverAdapter {
  adapter.executeScript = async (script) => {
    await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
  };
  return adapter;
}

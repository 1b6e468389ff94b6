import { PrismaPg } from '@prisma/adapter-pg';
import {
  isDriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { Pool } from 'pg';

import { dropInvalidIndex, indexOf } from './no-transaction.ts';

export interface WholeScriptOptions {
  /** How long a script waits for each lock. */
  readonly lockTimeoutMs: number;
  /** Hears the SQLSTATE of a script that failed; undefined where Postgres gave none. */
  readonly onFailure: (sqlState: string | undefined) => void;
}

/**
 * Prisma's adapter, except that a script is sent as it stands.
 *
 * The original cuts a script at every semicolon, which breaks function bodies, strings and comments that hold one. Sent
 * whole in one message, a script is also one transaction: a migration that fails leaves nothing behind.
 */
export function wholeScriptAdapter(pool: Pool, options: WholeScriptOptions): SqlMigrationAwareDriverAdapterFactory {
  const original = new PrismaPg(pool);
  return {
    provider: original.provider,
    adapterName: original.adapterName,
    connect: async () => sendingScriptsWhole(await original.connect(), pool, options),
    connectToShadowDb() {
      // The original connects to the connection string's own database in the shadow's place.
      throw new Error('Migrations here work without a shadow database.');
    },
  };
}

function sendingScriptsWhole(
  adapter: SqlDriverAdapter,
  pool: Pool,
  { lockTimeoutMs, onFailure }: WholeScriptOptions,
): SqlDriverAdapter {
  const send = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
  adapter.executeScript = async (script) => {
    try {
      const index = indexOf(script);
      if (index !== null) {
        await dropInvalidIndex(pool, index);
        // Without a limit: it waits for every older transaction, and no statement waits behind it.
        await send(script);
      } else {
        // In the script's own transaction, so that nothing is left set on a connection of a pooler.
        await send(`SET LOCAL lock_timeout = ${lockTimeoutMs}; ${script}`);
      }
    } catch (error) {
      onFailure(isDriverAdapterError(error) ? error.cause.originalCode : undefined);
      throw error;
    }
  };
  return adapter;
}
